package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gamedata/internal/buildinfo"
	"gamedata/internal/slowtest"
)

// The service starts from the archive, and from the root file system of the image as the image's user. The checksums
// and the list of components are right.
func TestRelease(t *testing.T) {
	slowtest.Only(t)
	if runtime.GOOS != "linux" {
		t.Skip("the image is for Linux")
	}
	t.Chdir("../..")
	out := t.TempDir()
	if err := release(t.Context(), out, []platform{{"linux", runtime.GOARCH}}); err != nil {
		t.Fatal(err)
	}
	name := "gamedata-" + buildinfo.Version
	archive := name + "-linux-" + runtime.GOARCH
	files := []string{archive + ".tar.gz", name + "-oci.tar", name + "-sbom.cdx.json"}

	unpacked := t.TempDir()
	unpack(t, filepath.Join(out, files[0]), unpacked)
	dir := filepath.Join(unpacked, archive)
	for _, text := range texts {
		if _, err := os.Stat(filepath.Join(dir, text)); err != nil {
			t.Error(err)
		}
	}
	serve(t, exec.Command(filepath.Join(dir, "gamedata"), "serve", "--data-dir", filepath.Join(dir, "data")))

	root, config := imageRoot(t, filepath.Join(out, files[1]))
	if config.User != user || !slices.Equal(config.Entrypoint, []string{"/gamedata"}) ||
		!slices.Contains(config.Env, "TMPDIR=/data") {
		t.Errorf("image: %+v", config)
	}
	if mayChangeRoot() {
		cmd := exec.Command(config.Entrypoint[0], config.Cmd...)
		cmd.Env, cmd.Dir = config.Env, config.WorkingDir
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		serve(t, cmd)
	}

	var bom struct{ Components []component }
	read(t, filepath.Join(out, files[2]), &bom)
	for _, want := range []string{
		"pkg:golang/go.mongodb.org/mongo-driver/v2@", "pkg:npm/uplot@", "pkg:npm/%40graphiql/react@",
	} {
		if !slices.ContainsFunc(bom.Components, func(c component) bool { return strings.HasPrefix(c.PURL, want) }) {
			t.Errorf("%s is no component", want)
		}
	}

	sums, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(out, file))
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		want.WriteString(hex.EncodeToString(sum[:]) + "  " + file + "\n")
	}
	if string(sums) != want.String() {
		t.Errorf("checksums:\n%s", sums)
	}
}

// mayChangeRoot reports whether a process may get another root directory: not every user may, nor root everywhere.
func mayChangeRoot() bool {
	probe := exec.Command("/proc/self/exe", "-test.list", "^$")
	probe.SysProcAttr = &syscall.SysProcAttr{Chroot: "/"}
	return probe.Run() == nil
}

// The archive for Windows is a zip file, and an archive of the same files has the same bytes.
func TestArchives(t *testing.T) {
	slowtest.Only(t)
	t.Chdir("../..")
	binary := filepath.Join(t.TempDir(), "gamedata.exe")
	if err := os.WriteFile(binary, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	for _, p := range []platform{{"windows", "amd64"}, {"darwin", "arm64"}} {
		var packed [2][]byte
		for i := range packed {
			path, err := archive(t.TempDir(), p, binary, at)
			if err != nil {
				t.Fatal(err)
			}
			if packed[i], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(packed[0], packed[1]) {
			t.Errorf("%s: two archives differ", p.os)
		}
		if p.os != "windows" {
			continue
		}
		z, err := zip.NewReader(bytes.NewReader(packed[0]), int64(len(packed[0])))
		if err != nil {
			t.Fatal(err)
		}
		f, err := z.Open("gamedata-" + buildinfo.Version + "-windows-amd64/gamedata.exe")
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(f); err != nil || string(text) != "program" {
			t.Errorf("got %q, %v", text, err)
		}
	}
}

// serve starts the service on a free port, checks its health, and stops it.
func serve(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Env = append(cmd.Env, "GAMEDATA_LISTEN=127.0.0.1:0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer context.AfterFunc(t.Context(), func() { _ = cmd.Process.Kill() })()
	health := ""
	lines := bufio.NewScanner(stdout)
	for health == "" && lines.Scan() {
		health = regexp.MustCompile(`http://\S+/readyz`).FindString(lines.Text())
	}
	if health == "" {
		_ = cmd.Wait()
		t.Fatalf("%s does not serve: %s", cmd.Path, &stderr)
	}
	r, err := http.Get(health) //nolint:noctx // the test ends with the program
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", cmd.Path, r.Status)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, stdout)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%s: %v %s", cmd.Path, err, &stderr)
	}
}

// imageConfig is what a container of an image runs.
type imageConfig struct {
	User, WorkingDir     string
	Entrypoint, Cmd, Env []string
}

// imageRoot unpacks the only layer of the only image in a tar file with an OCI layout.
func imageRoot(t *testing.T, file string) (root string, c imageConfig) {
	t.Helper()
	layout := t.TempDir()
	unpack(t, file, layout)
	type descriptor struct{ Digest string }
	blob := func(d descriptor) string {
		return filepath.Join(layout, "blobs", strings.Replace(d.Digest, ":", "/", 1))
	}
	var index struct{ Manifests []descriptor }
	read(t, filepath.Join(layout, "index.json"), &index)
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	read(t, blob(index.Manifests[0]), &manifest)
	var config struct{ Config imageConfig }
	read(t, blob(manifest.Config), &config)
	if len(index.Manifests) != 1 || len(manifest.Layers) != 1 {
		t.Fatalf("%d images, %d layers", len(index.Manifests), len(manifest.Layers))
	}
	root, err := os.MkdirTemp("", "root") // t.TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	unpack(t, blob(manifest.Layers[0]), root)
	return root, config.Config
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// unpack unpacks a tar file, compressed or not, with its owners if the test may.
func unpack(t *testing.T, file, dir string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "tar", "-xpf", file, "-C", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v %s", file, err, out)
	}
}
