//go:build !unix

package main

// roomOn is not known here.
func roomOn(string) (left uint64, known bool) { return 0, false }

// filesAllowed is not known here.
func filesAllowed() (n uint64, known bool) { return 0, false }
