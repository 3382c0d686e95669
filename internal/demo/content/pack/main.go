// Command pack packs a directory with the content of the demo world, or with -unpack creates such a directory. It runs
// in the root of the project.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"gamedata/internal/demo/content"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run() error {
	unpack := flag.Bool("unpack", false, "create the directory")
	flag.Parse()
	if flag.NArg() != 1 {
		return errors.New("name one directory")
	}
	if *unpack {
		return content.Unpack(flag.Arg(0))
	}
	archive, err := content.Pack(flag.Arg(0))
	if err != nil {
		return err
	}
	return os.WriteFile("internal/demo/content/content.zip", archive, 0o644)
}
