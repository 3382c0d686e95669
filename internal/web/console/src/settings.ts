// Small settings of the console in the browser's storage, which a browser may refuse.

/** setting reads a setting; null if there is none. */
export function setting(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** saveSetting stores a setting for the next visit. */
export function saveSetting(name: string, value: string) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It counts until the page is closed.
  }
}
