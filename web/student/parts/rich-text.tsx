import { useEffect, useMemo, useRef } from 'react'
import { imageAddress } from '../../../contract/core/rich-text.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { fetchFile } from '../../core/service/api.ts'

/**
 * A text with its marks, which the service has cleaned: only the elements of rich-text.ts are in it. Its pictures need
 * the bearer token, so their content is fetched and shown from memory.
 */
export function RichText({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null)
  const text = useMemo(() => withoutSources(html), [html])
  useEffect(() => {
    const stop = new AbortController()
    const made: string[] = []
    for (const image of box.current?.querySelectorAll<HTMLImageElement>('img[data-file]') ?? [])
      fetchFile(fileApi.view, { id: image.dataset['file']! }, { signal: stop.signal, quiet: true })
        .then((blob) => {
          const address = URL.createObjectURL(blob)
          made.push(address)
          image.src = address
        })
        .catch(() => undefined)
    return () => {
      stop.abort()
      for (const address of made) URL.revokeObjectURL(address)
    }
  }, [text])
  return <div ref={box} className="s-rich" dangerouslySetInnerHTML={{ __html: text }} />
}

/** The text with the ids of its pictures in place of their addresses, and links that leave the page open. */
function withoutSources(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const image of body.querySelectorAll('img')) {
    const id = imageAddress.exec(image.getAttribute('src') ?? '')?.[1]
    image.removeAttribute('src')
    if (id) image.dataset['file'] = id
  }
  for (const link of body.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
  return body.innerHTML
}
