package main

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing/fstest"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"gamedata/internal/buildinfo"
)

// user is the user id in the image: an unprivileged user without a name.
const user = "65532:65532"

// writeImage writes an image for Linux, of every architecture that was built, as an OCI layout in a tar file. The image
// contains only the binary, /data for the store and /tmp.
func writeImage(path, work string, binaries map[platform]string, at time.Time) error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range platforms { // in a fixed order
		if binary := binaries[p]; binary != "" && p.os == "linux" {
			image, err := imageOf(binary, p, at)
			if err != nil {
				return err
			}
			index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
				Platform:    &v1.Platform{OS: p.os, Architecture: p.arch},
				Annotations: map[string]string{"org.opencontainers.image.ref.name": buildinfo.Version},
			}})
		}
	}
	dir := filepath.Join(work, "layout")
	if _, err := layout.Write(dir, index); err != nil {
		return err
	}
	files := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			files[name] = &fstest.MapFile{Mode: fs.ModeDir | 0o755, ModTime: at}
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = &fstest.MapFile{Data: text, Mode: 0o644, ModTime: at}
		return err
	})
	if err != nil {
		return err
	}
	return create(path, func(w io.Writer) error { return writeTar(w, files) })
}

func imageOf(binary string, p platform, at time.Time) (v1.Image, error) {
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	var layer bytes.Buffer
	err = writeTar(&layer, fstest.MapFS{
		"data":     {Mode: fs.ModeDir | 0o700, ModTime: at, Sys: &tar.Header{Uid: 65532, Gid: 65532}},
		"tmp":      {Mode: fs.ModeDir | fs.ModeSticky | 0o777, ModTime: at},
		"gamedata": {Data: program, Mode: 0o755, ModTime: at},
	})
	if err != nil {
		return nil, err
	}
	packed, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(layer.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err := mutate.Append(base, mutate.Addendum{Layer: packed, History: v1.History{Created: v1.Time{Time: at}}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.os, p.arch, v1.Time{Time: at}
	config.Config = v1.Config{
		Entrypoint: []string{"/gamedata"},
		Cmd:        []string{"serve"},
		Env:        []string{"GAMEDATA_DATA_DIR=/data", "GAMEDATA_LISTEN=:8080", "TMPDIR=/data"},
		WorkingDir: "/data", User: user,
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Volumes:      map[string]struct{}{"/data": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title":   "gamedata",
			"org.opencontainers.image.version": buildinfo.Version,
		},
	}
	return mutate.ConfigFile(image, config)
}
