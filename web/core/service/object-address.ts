/** How long the browser may take, on a busy machine too, to load what is shown or to save a file, in milliseconds. */
const delayMs = 60_000

/**
 * Gives up the address of something in memory, once the browser is surely done with it: an image that is still being
 * loaded, or a file that is still being saved, would fail.
 */
export const revokeLater = (address: string): void => void setTimeout(() => URL.revokeObjectURL(address), delayMs)

/** Hands a file in memory to the browser to keep. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  revokeLater(link.href)
}
