import type { TranscriptData } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { photosForPrint } from '../../platform/files/files.service.ts'

/** A transcript with the student's photo, where it is printed with one. */
export type PrintableTranscript = TranscriptData & { photo?: Uint8Array }

/**
 * Fetches the photos that issues are printed with. One that has been replaced since is not printed: what was signed is
 * only which it was.
 */
export async function withPhotos<T extends { transcript: TranscriptData }>(
  ctx: Context,
  issued: readonly T[],
): Promise<(T & { transcript: PrintableTranscript })[]> {
  const photos = await photosForPrint(
    ctx,
    issued.flatMap(({ transcript }) => transcript.student.suiPhoto ?? []),
  )
  return issued.map((one) => {
    const photo = one.transcript.student.suiPhoto && photos.get(one.transcript.student.suiPhoto)
    return photo ? { ...one, transcript: { ...one.transcript, photo } } : one
  })
}
