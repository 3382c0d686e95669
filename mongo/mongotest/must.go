package mongotest

// failer is the part of a test that Must and Value need; tests of rapid have it too.
type failer interface {
	Helper()
	Fatal(args ...any)
}

// Must fails the test at the first error.
func Must(t failer, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Value returns a function that returns v, and fails the test if there is an error.
func Value[T any](v T, err error) func(failer) T {
	return func(t failer) T {
		t.Helper()
		Must(t, err)
		return v
	}
}
