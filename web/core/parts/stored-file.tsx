import { useEffect, useState, type ReactNode } from 'react'
import type { Call } from '../../../contract/core/call.ts'
import { download, fetchFile } from '../service/api.ts'
import { useObjectAddress } from './use-object-address.ts'

interface StoredProps {
  /** The call that gives a file's content for its `id`. */
  view: Call
  id: string
  name: string
}

/**
 * The address of a stored file's content, once it is there. It needs the bearer token, so it is fetched and shown from
 * memory. `quiet`: the person is not told of a failure.
 */
export function useFileAddress(view: Call, id: string, { quiet = false } = {}): string | undefined {
  const [held, setHeld] = useState<{ id: string; content: Blob }>()
  useEffect(() => {
    const stop = new AbortController()
    fetchFile(view, { id }, { signal: stop.signal, quiet })
      .then((content) => setHeld({ id, content }))
      .catch(() => undefined)
    return () => stop.abort()
  }, [view, id, quiet])
  // while that of another id is on its way, and where it does not come, the former one is not shown for it
  return useObjectAddress(held?.id === id ? held.content : undefined)
}

/** A stored image. */
export function StoredImage({ view, id, name }: StoredProps) {
  const address = useFileAddress(view, id, { quiet: true })
  return address ? (
    <img className="stored-image" src={address} alt={name} title={name} />
  ) : (
    <span className="stored-image bone" role="img" aria-label={name} />
  )
}

/** The name of a stored file; a click downloads it. */
export function FileLink({ view, id, name, icon }: StoredProps & { icon?: ReactNode }) {
  return (
    <button type="button" className="file-link" onClick={() => void download(view, { id }).catch(() => undefined)}>
      {icon}
      {name}
    </button>
  )
}
