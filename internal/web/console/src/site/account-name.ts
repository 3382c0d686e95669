// Pages are cached for all readers, so the server leaves the name of the account out of them. A cookie without any
// secret has it.
export function showAccount() {
  const link = document.querySelector<HTMLAnchorElement>("a.account");
  if (!link) return;
  const name = accountName(document.cookie);
  link.textContent = name || (link.textContent === "Account" ? "Sign in" : link.textContent);
  if (name) link.title = `Signed in as ${name}`;
}

// accountName returns the name in the cookie `__Host-account`, empty without one.
export function accountName(cookies: string): string {
  for (const cookie of cookies.split("; ")) {
    const [key, value] = cookie.split("=", 2);
    if (key === "__Host-account" && value) {
      try {
        return decodeURIComponent(value);
      } catch {
        return "";
      }
    }
  }
  return "";
}
