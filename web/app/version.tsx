import { useEffect, useState } from 'react'

/** Which program this is, for whoever reports a fault; nothing while the service cannot be asked. */
export function Version() {
  const [text, setText] = useState('')
  useEffect(() => {
    const stop = new AbortController()
    fetch('/api/version', { signal: stop.signal })
      .then(async (answer) => (await answer.json()) as { version: string; commit: string | null })
      .then(({ version, commit }) => setText(`版本 ${version}${commit ? ` · ${commit.slice(0, 8)}` : ''}`))
      .catch(() => {})
    return () => stop.abort()
  }, [])
  return <span>{text || '版本'}</span>
}
