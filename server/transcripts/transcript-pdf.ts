import type { Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { Failure } from '../../contract/core/failure.ts'
import { printWords } from '../../contract/transcripts/words.ts'
import { unmapped, warmFonts } from '../core/pdf/fonts.ts'
import { frame, ink, newPage, openPaper, sealPages, write, type Paper } from '../core/pdf/paper.ts'
import { drawHead, drawModules, drawRunningHead, drawStudent, drawSummary } from './transcript-face.ts'
import type { PrintableTranscript } from './photos.service.ts'
import { drawClosing, drawRows } from './transcript-rows.ts'

/** Who prints, when, and the pictures of the school (PNG or JPEG). */
export interface Printing {
  /** Name of the person who prints; stands in the footer of every page. */
  byName: string
  /** `yyyy-MM-dd HH:mm:ss`. */
  at: string
  badge?: Uint8Array
  /** The seal is printed only for those the school lets print it; without it the place stays empty for a stamp. */
  seal?: Uint8Array
}

/**
 * One PDF of any number of transcripts, a bookmark each, pages numbered per student. Text is real text in embedded fonts.
 * The event loop gets a turn after every student, and drawing stops when the reader goes away.
 * @param credential the credential file of a single transcript, which is put into the document as an attachment
 * @throws Failure `unprintable-text` before the first byte, naming the student and the characters no font holds
 */
export async function transcriptPdf(
  transcripts: PrintableTranscript[],
  printing: Printing,
  credential?: { name: string; text: string },
): Promise<Readable> {
  await warmFonts()
  for (const transcript of transcripts) {
    const fault = unprintable(transcript, printing)
    if (fault) throw new Failure('unprintable-text', fault)
    await breathe()
  }
  const [first] = transcripts
  const title =
    transcripts.length === 1 && first
      ? `第二课堂成绩单 ${first.student.suiNumber} ${first.student.suiName}`
      : `第二课堂成绩单（${transcripts.length} 人）`
  const paper = openPaper({ title, author: first?.schName ?? '', createdAt: printing.at })
  if (credential)
    paper.doc.file(Buffer.from(credential.text), {
      name: credential.name,
      type: 'application/json',
      description: '成绩凭证',
      creationDate: new Date(0),
      modifiedDate: new Date(0),
    })
  void drawAll(paper, transcripts, printing)
  return paper.doc
}

async function drawAll(paper: Paper, transcripts: PrintableTranscript[], printing: Printing): Promise<void> {
  try {
    for (const transcript of transcripts) {
      await breathe()
      if (paper.doc.destroyed) return
      drawTranscript(paper, transcript, printing)
    }
    await breathe()
    paper.doc.end()
  } catch (error) {
    paper.doc.destroy(error as Error)
  }
}

/** Draws one transcript on pages of its own, which are finished when it returns. */
export function drawTranscript(paper: Paper, transcript: PrintableTranscript, printing: Printing): void {
  const { student, serial, lang } = transcript
  const words = printWords(lang)
  paper.onPage = () => frame.top
  newPage(paper)
  paper.doc.outline.addItem(`${student.suiNumber} ${student.suiName}`)
  paper.onPage = () => drawRunningHead(paper, transcript)
  let y = drawHead(paper, transcript, printing.badge)
  y = drawStudent(paper, transcript, y + 12)
  y = drawSummary(paper, transcript, y + 10)
  y = drawModules(paper, transcript, y + 14)
  y = drawRows(paper, transcript, y + 14)
  drawClosing(paper, transcript, printing, y + 12)
  sealPages(paper, (page, pages) => {
    const baseline = frame.bottom + 26
    paper.doc
      .moveTo(frame.left, baseline - 12)
      .lineTo(frame.right, baseline - 12)
      .lineWidth(0.5)
      .stroke(ink.line)
    const style = { size: 7.5, color: ink.soft, width: frame.width } as const
    write(paper, `${words.serial} ${serial}`, frame.left, baseline, style)
    write(paper, words.page(page, pages), frame.left, baseline, { ...style, align: 'center' })
    write(paper, words.printedBy(printing.byName, printing.at), frame.left, baseline, { ...style, align: 'right' })
  })
}

/** Whose transcript cannot be printed, and for which characters; undefined for one that can. */
export function unprintable(
  { photo: _, ...transcript }: PrintableTranscript,
  printing: Pick<Printing, 'byName'>,
): { name: string; signs: string } | undefined {
  const texts: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect)
  }
  collect([transcript, printing.byName])
  const missing = unmapped(texts.join(''))
  const { suiName, suiNumber } = transcript.student
  return missing.length === 0
    ? undefined
    : { name: unmapped(suiName).length > 0 ? suiNumber : suiName, signs: missing.slice(0, 10).join('') }
}
