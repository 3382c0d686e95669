// Command release builds the files of a release: an archive of the binary for each platform, an OCI image, a bill of
// materials, and checksums. `make release` builds the console first, then runs it.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"gamedata/internal/buildinfo"
)

// platform is a pair of GOOS and GOARCH.
type platform struct{ os, arch string }

var platforms = []platform{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

// texts lists the files beside the binary in an archive.
var texts = []string{"README.md", "CHANGELOG.md", "SECURITY.md"}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "dist", "directory of the files, which is created")
	flag.Parse()
	if err := release(context.Background(), *out, platforms, "-trimpath"); err != nil {
		log.Fatalln("release:", err)
	}
}

// release builds the files of a release for some platforms, with compiler flags. Run it in the root of the project.
func release(ctx context.Context, out string, of []platform, flags ...string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	_, date := buildinfo.Commit()
	built, err := time.Parse(time.RFC3339, date)
	if err != nil { // outside a repository
		built = time.Unix(0, 0).UTC()
	}
	binaries := map[platform]string{}
	var files []string
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	for _, p := range of {
		log.Printf("building for %s/%s", p.os, p.arch)
		binary := filepath.Join(work, p.os+"-"+p.arch, "gamedata")
		if p.os == "windows" {
			binary += ".exe"
		}
		if err := build(ctx, p, binary, flags); err != nil {
			return err
		}
		binaries[p] = binary
		path, err := archive(out, p, binary, built)
		if err != nil {
			return err
		}
		files = append(files, path)
	}
	image := filepath.Join(out, "gamedata-"+buildinfo.Version+"-oci.tar")
	if err := writeImage(image, work, binaries, built); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	bom := filepath.Join(out, "gamedata-"+buildinfo.Version+"-sbom.cdx.json")
	if err := writeBOM(bom, binaries[of[0]], built); err != nil {
		return fmt.Errorf("bill of materials: %w", err)
	}
	return writeChecksums(filepath.Join(out, "SHA256SUMS"), append(files, image, bom))
}

func build(ctx context.Context, p platform, path string, flags []string) error {
	args := slices.Concat([]string{"build", "-ldflags=-s -w", "-o", path}, flags, []string{"./cmd/gamedata"})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
