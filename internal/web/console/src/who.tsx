// Who the browser's cookie says is asking.
import { useEffect, useState } from "react";
import { address } from "./asking";

export function Who() {
  const [account, set] = useState<string | null>();
  useEffect(() => {
    fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"query":"{ viewer { account } }"}' })
      .then((r) => (r.ok ? r.json() : Promise.reject(new Error())))
      .then((answer: { data?: { viewer?: { account: string | null } } }) => set(answer.data?.viewer?.account ?? null), () => {}); // it is said once it is known
  }, []);
  if (account === undefined) return null;
  return <a className="who" href="/account">{account === null ? "You ask as a guest." : `You ask as ${account}.`}</a>;
}
