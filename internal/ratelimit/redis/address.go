package redis

import (
	"net"
	"net/url"
	"strings"

	driver "github.com/redis/go-redis/v9"
)

// parseURL parses an address; see Options.URL.
func parseURL(text string) (*driver.UniversalOptions, error) {
	scheme, rest, _ := strings.Cut(text, "://")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@') + 1
	hosts := strings.Split(rest[at:end], ",")
	first, err := url.Parse(scheme + "://" + rest[:at] + hosts[0] + rest[end:])
	if err != nil {
		return nil, ErrURL
	}
	query := first.Query()
	all := &driver.UniversalOptions{
		MasterName: query.Get("master"), SentinelPassword: query.Get("sentinel_password"),
		IsClusterMode: query.Get("cluster") == "true" || len(hosts) > 1 && query.Get("master") == "",
	}
	for _, own := range []string{"master", "sentinel_password", "cluster"} {
		query.Del(own)
	}
	first.RawQuery = query.Encode()
	one, err := driver.ParseURL(first.String())
	if err != nil || all.IsClusterMode && one.DB != 0 {
		return nil, ErrURL
	}
	all.Username, all.Password, all.DB, all.TLSConfig = one.Username, one.Password, one.DB, one.TLSConfig
	all.Protocol, all.ClientName = one.Protocol, one.ClientName
	all.PoolFIFO, all.MinIdleConns, all.MaxIdleConns = one.PoolFIFO, one.MinIdleConns, one.MaxIdleConns
	all.MaxActiveConns, all.ReadTimeout = one.MaxActiveConns, one.ReadTimeout
	all.ConnMaxIdleTime, all.ConnMaxLifetime = one.ConnMaxIdleTime, one.ConnMaxLifetime
	if one.Network == "unix" {
		all.Addrs = []string{one.Addr}
		return all, nil
	}
	port := "6379"
	if all.MasterName != "" {
		port = "26379"
	}
	for _, host := range hosts {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), port)
		}
		all.Addrs = append(all.Addrs, host)
	}
	return all, nil
}
