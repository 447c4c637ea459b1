import { useEffect, useMemo, useRef } from 'react'
import { imageAddress } from '../../../contract/core/rich-text.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { fetchFile } from '../../core/service/api.ts'
import { revokeLater } from '../../core/service/object-address.ts'
import { isRefused } from '../../core/service/wire.ts'

/**
 * A text with its marks, which the service has cleaned: only the elements of rich-text.ts are in it. Its pictures need
 * the bearer token, so their content is fetched and shown from memory; what did not come can be fetched again.
 */
export function RichText({ html }: { html: string }) {
  const box = useRef<HTMLDivElement>(null)
  const text = useMemo(() => withoutSources(html), [html])
  useEffect(() => {
    const stop = new AbortController()
    const made: string[] = []
    const retries = new Set<HTMLElement>()
    const show = (image: HTMLImageElement) =>
      void fetchFile(fileApi.view, { id: image.dataset['file']! }, { signal: stop.signal, quiet: true })
        .then((blob) => {
          if (stop.signal.aborted) return
          const address = URL.createObjectURL(blob)
          made.push(address)
          image.src = address
        })
        .catch((error: unknown) => {
          if (stop.signal.aborted || isRefused(error)) return
          const retry = retryButton(() => {
            retry.remove()
            show(image)
          })
          retries.add(retry)
          image.after(retry)
        })
    for (const image of box.current?.querySelectorAll<HTMLImageElement>('img[data-file]') ?? []) show(image)
    return () => {
      stop.abort()
      for (const retry of retries) retry.remove()
      for (const address of made) revokeLater(address)
    }
  }, [text])
  return <div ref={box} className="s-rich" dangerouslySetInnerHTML={{ __html: text }} />
}

/** Stands beside a picture that did not come. */
function retryButton(onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 's-rich-retry'
  button.textContent = '图片未能加载，点按重试'
  button.addEventListener('click', onClick)
  return button
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
