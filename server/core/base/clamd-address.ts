/** Where clamd listens, as `net.connect` takes it. */
export type ClamdAddress = { path: string } | { host: string; port: number }

/** `unix:/run/clamav/clamd.ctl`, `host:3310` or `[::1]:3310`; undefined for anything else. */
export function clamdAddress(text: string): ClamdAddress | undefined {
  const [, path, bracketed, itsPort, host, port] =
    /^(?:unix:(\/.+)|\[([0-9a-f:.]+)\]:(\d{1,5})|([^\s:/[\]]+):(\d{1,5}))$/i.exec(text) ?? []
  if (path) return { path }
  const at = { host: bracketed ?? host ?? '', port: Number(itsPort ?? port) }
  return at.host && at.port > 0 && at.port < 65_536 ? at : undefined
}
