package config

import (
	"github.com/spf13/pflag"
)

// Admin holds the settings of the operators' listener.
type Admin struct {
	Listen string // empty: none
	Hosts  []string
}

// Add registers the settings as flags.
func (c *Admin) Add(flags *pflag.FlagSet) {
	flags.StringVar(&c.Listen, "admin-listen", "",
		"address of a second listener for metrics, profiles and purging, such as 127.0.0.1:9090; none when empty. "+
			"It requires no credentials: never make it public")
	flags.StringSliceVar(&c.Hosts, "admin-hosts", nil,
		"host names to serve on --admin-listen, besides loopback and its own address")
}

// AccessLog says which requests are logged.
type AccessLog struct {
	Mode      string
	Addresses bool
}

// sampleEvery is how many requests one line of a sampled access log represents.
const sampleEvery = 100

var accessLogModes = map[string]int{"off": 0, "sampled": sampleEvery, "on": 1}

// Add registers the settings as flags.
func (c *AccessLog) Add(flags *pflag.FlagSet) {
	flags.StringVar(&c.Mode, "access-log", "on",
		"log requests: on, sampled (one in 100, and every slow or failed one) or off")
	flags.BoolVar(&c.Addresses, "access-log-addresses", false, "include client addresses in the access log")
}

// Check validates the mode.
func (c *AccessLog) Check() error {
	if _, ok := accessLogModes[c.Mode]; !ok {
		return Usagef("--access-log must be on, sampled or off")
	}
	return nil
}

// Every is how many requests one log line represents; 0 logs none.
func (c *AccessLog) Every() int { return accessLogModes[c.Mode] }
