// The signed-in account, by the browser's session cookie.
import { useEffect, useState } from "react";
import { post } from "./client";

export function Account() {
  const [account, setAccount] = useState<string | null>();
  useEffect(() => {
    post({ query: "{ viewer { account } }" })
      .then((r) => (r.ok ? r.json() : Promise.reject(new Error())))
      .then((body: { data?: { viewer?: { account: string | null } } }) => setAccount(body.data?.viewer?.account ?? null), () => {}); // nothing is shown
  }, []);
  if (account === undefined) return null;
  return account === null
    ? <span className="account">Not signed in. <a href="/account">Sign in</a></span>
    : <span className="account">Signed in as <a href="/account">{account}</a></span>;
}
