package jobs_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
)

// BenchmarkFullRefresh refreshes all leaderboards of two worlds, one with a tenth of the players of the other
// (BENCH_PLAYERS): the first refresh, then one that finds nothing to write. The memory is that of the process, with the
// embedded store in it.
func BenchmarkFullRefresh(b *testing.B) {
	for _, players := range []int{benchPlayers(b) / 10, benchPlayers(b)} {
		b.Run(fmt.Sprintf("players=%d", players), func(b *testing.B) {
			server, dir := benchServer(b, players)
			store := openOn(b, server, server)
			for _, name := range []string{"first", "unchanged"} {
				b.Run(name, func(b *testing.B) {
					var top float64
					var r jobs.Report
					size := fileBytes(b, dir)
					for b.Loop() {
						top = max(top, highest(func() {
							var err error
							o := jobs.Options{Full: true, TempDir: dir}
							if r, err = jobs.Refresh(b.Context(), store, benchNow, o); err != nil {
								b.Fatal(err)
							}
						}))
					}
					b.ReportMetric(top, "peak-MB")
					b.ReportMetric(float64(r.Pages), "pages")
					b.ReportMetric(float64(fileBytes(b, dir)-size)/(1<<20), "store-growth-MB")
				})
			}
		})
	}
}

// fileBytes returns the size of the files in a directory.
func fileBytes(b *testing.B, dir string) (sum int64) {
	b.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return sum
}

// BenchmarkFullRefreshInstances compares two instances that share a full refresh with one, in turns. So that it is not
// the processors of this machine that limit both, the world is small and each command takes longer (networkDelay). It
// has 100 ranges, as a million players have.
func BenchmarkFullRefreshInstances(b *testing.B) {
	const players = 2000
	server, _ := benchServer(b, players)
	first, second := openOn(b, server, distant{server}), openOn(b, server, distant{server})
	took := map[int][]time.Duration{}
	for range max(b.N, 3) {
		for instances := 1; instances <= 2; instances++ {
			took[instances] = append(took[instances], timeOf(func() {
				ctx, stop := context.WithCancel(b.Context())
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					for instances == 2 && ctx.Err() == nil {
						if _, err := jobs.Help(ctx, second, jobs.Options{Holder: "two"}); err != nil && ctx.Err() == nil {
							b.Error(err)
						}
						time.Sleep(time.Millisecond)
					}
				}()
				o := jobs.Options{Full: true, Holder: "one", RangeSize: players / 100}
				if _, err := jobs.Refresh(b.Context(), first, benchNow, o); err != nil {
					b.Error(err)
				}
				stop()
				<-ended
			}))
		}
	}
	one, two := median(took[1]), median(took[2])
	b.ReportMetric(one.Seconds(), "s-alone")
	b.ReportMetric(two.Seconds(), "s-together")
	b.ReportMetric(one.Seconds()/two.Seconds(), "times-as-fast")
}

// distant dials connections whose messages take networkDelay longer to be sent.
type distant struct{ options.ContextDialer }

const networkDelay = 20 * time.Millisecond

func (d distant) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.ContextDialer.DialContext(ctx, network, address)
	return distantConn{c}, err
}

type distantConn struct{ net.Conn }

func (c distantConn) Write(b []byte) (int, error) {
	time.Sleep(networkDelay)
	return c.Conn.Write(b)
}

func timeOf(work func()) time.Duration {
	begun := time.Now()
	work()
	return time.Since(begun)
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkSortStandings is the work of one instance in phase 2 of a full refresh without the store: the entries of
// eight boards of BENCH_STANDINGS players, in the order of their uuids, are sorted and put on pages.
func BenchmarkSortStandings(b *testing.B) {
	standings := 100_000
	if text := os.Getenv("BENCH_STANDINGS"); text != "" {
		var err error
		if standings, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	const boards = 8
	dir := b.TempDir()
	for _, n := range []int{standings / 10, standings} {
		b.Run(fmt.Sprintf("standings=%d", n), func(b *testing.B) {
			top, spilled, pages := 0.0, int64(0), 0
			for b.Loop() {
				top = max(top, highest(func() { spilled, pages = sortStandings(b, dir, n, boards) }))
			}
			b.ReportMetric(top, "peak-MB")
			b.ReportMetric(float64(spilled)/(1<<20), "temporary-MB")
			b.ReportMetric(float64(pages), "pages")
		})
	}
}

func sortStandings(b *testing.B, dir string, standings, boards int) (spilled int64, pages int) {
	b.Helper()
	s := jobs.NewSorter(2+leaderboard.KeySize, 32<<20, dir)
	defer s.Close()
	r := rand.New(rand.NewPCG(1, 2))
	record := make([]byte, 2+leaderboard.KeySize)
	for i := range standings {
		binary.BigEndian.PutUint64(record[10:], uint64(i)<<32)
		for board := range boards {
			binary.BigEndian.PutUint16(record, uint16(board))
			binary.BigEndian.PutUint64(record[2:], ^r.Uint64N(1<<40))
			if err := s.Add(record); err != nil {
				b.Fatal(err)
			}
		}
	}
	next, err := s.Sorted()
	if err != nil {
		b.Fatal(err)
	}
	var page leaderboard.Page
	for {
		record, ok, err := next()
		if err != nil {
			b.Fatal(err)
		}
		if !ok {
			break
		}
		if page = page.Append(leaderboard.Key(record[2:])); page.Len() == leaderboard.PageSize {
			page, pages = slices.Clone(page)[:0], pages+1
		}
	}
	return s.Spilled(), pages
}
