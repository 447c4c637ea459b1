import { useEffect, useState, type ReactNode } from 'react'
import type { Call } from '../../../contract/core/call.ts'
import { download, fetchFile } from '../service/api.ts'

interface StoredProps {
  /** The call that gives a file's content for its `id`. */
  view: Call
  id: string
  name: string
}

/** A stored image. Its content needs the bearer token, so it is fetched and shown from memory. */
export function StoredImage({ view, id, name }: StoredProps) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const stop = new AbortController()
    let made: string | undefined
    fetchFile(view, { id }, { signal: stop.signal, quiet: true })
      .then((blob) => setAddress((made = URL.createObjectURL(blob))))
      .catch(() => undefined)
    return () => {
      stop.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [view, id])
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
