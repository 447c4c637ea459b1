import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { SheetRefused, type SheetLimits } from './limits.ts'

/** An opened archive whose directory has been checked; files inside are read by name and never written anywhere. */
export interface Archive {
  has(name: string): boolean
  /**
   * Runs the XML file through `handlers`. Document types, other encodings than UTF-8 and sizes other than declared are
   * refused.
   */
  parse(name: string, handlers: XmlHandlers): Promise<void>
  close(): void
}

/** What is done with the parts of an XML file. Names come without their prefix. */
interface XmlHandlers {
  open(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

const encrypted = 0x1

/** Opens an archive and refuses it if what it claims to hold is more than `limits` allow. */
export async function openArchive(path: string, limits: SheetLimits): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true })
  try {
    const entries = await checkSizes(zip, limits)
    return {
      has: (name) => entries.has(name),
      parse: async (name, handlers) => {
        const entry = entries.get(name)
        if (!entry) throw new SheetRefused('file-broken', { what: '工作簿' })
        await parseXml(zip, entry, handlers)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function checkSizes(zip: ZipFile, limits: SheetLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entries) throw new SheetRefused('sheet-too-large')
  const entries = new Map<string, Entry>()
  let unpacked = 0
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize
    const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize)
    if (unpacked > limits.unpacked || (entry.uncompressedSize > 1_048_576 && ratio > limits.ratio))
      throw new SheetRefused('sheet-too-large')
    if (entry.generalPurposeBitFlag & encrypted) throw new SheetRefused('sheet-old-format')
    if (entries.has(entry.fileName)) throw new SheetRefused('file-broken', { what: '工作簿' })
    entries.set(entry.fileName, entry)
  }
  return entries
}

const bare = (name: string) => name.slice(name.indexOf(':') + 1)

async function parseXml(zip: ZipFile, entry: Entry, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  parser.on('doctype', () => {
    throw new SheetRefused('file-broken', { what: '工作簿' })
  })
  parser.on('opentag', (tag: SaxesTagPlain) => handlers.open(bare(tag.name), tag.attributes))
  parser.on('closetag', (tag: SaxesTagPlain) => handlers.close?.(bare(tag.name)))
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  // yauzl counts while unpacking: a file longer than declared ends here with an error
  const stream = await zip.openReadStreamPromise(entry)
  for await (const chunk of stream as AsyncIterable<Buffer>) parser.write(decoder.decode(chunk, { stream: true }))
  parser.write(decoder.decode()).close()
}
