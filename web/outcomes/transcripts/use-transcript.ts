import { useQuery } from '@tanstack/react-query'
import type { Output } from '../../../contract/core/call.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import type { PrintLang } from '../../../contract/outcomes/transcripts/words.ts'
import { send } from '../../core/service/api.ts'
import { exportFile } from '../../core/action/export.tsx'
import type { Reading } from '../../core/screen/read-failure.tsx'
import { notify } from '../../core/service/notice.tsx'
import { refreshAll, useCall } from '../../core/service/use-call.ts'

export type TranscriptHeader = Output<typeof transcriptApi.header>
export type TranscriptRecord = Output<typeof transcriptApi.rows>['records'][number]

/** A stretch of time that a transcript is narrowed to, wall-clock text. */
export interface Period {
  startTime?: string
  endTime?: string
}

/** The most rows a list answers at once. */
const pageSize = 200

/** All rows of a transcript: it is read as one sheet, not page by page. */
async function allRows(input: Period & { suId: string }, signal: AbortSignal): Promise<TranscriptRecord[]> {
  const first = await send(transcriptApi.rows, { ...input, pageSize }, { signal })
  const rest = await Promise.all(
    Array.from({ length: first.pages - 1 }, (_, at) =>
      send(transcriptApi.rows, { ...input, pageSize, current: at + 2 }, { signal }),
    ),
  )
  return [first, ...rest].flatMap(({ records }) => records)
}

/**
 * A student's transcript in a language; `transcript` is undefined until both its parts are there. What was shown stays
 * while another part comes.
 */
export function useTranscript(
  suId: string,
  period: Period = {},
  lang: PrintLang = 'zh',
): {
  transcript: { header: TranscriptHeader; rows: TranscriptRecord[] } | undefined
  isLoading: boolean
  /** True while anything of it is asked for, also where it is what is shown. */
  isFetching: boolean
  /** True while what is shown is still another period, language or student. */
  isFormer: boolean
  reading: Reading
} {
  const input = { suId, ...period }
  const header = useCall(transcriptApi.header, { ...input, lang }, { enabled: suId !== '', keepPrevious: true })
  const rows = useQuery({
    queryKey: [transcriptApi.rows.path, { ...input, whole: true }],
    queryFn: ({ signal }) => allRows(input, signal),
    enabled: suId !== '',
    placeholderData: (before) => before,
  })
  const isLoading = suId !== '' && (header.isPending || (header.isSuccess && rows.isPending))
  return {
    transcript: header.data && rows.data && { header: header.data, rows: rows.data },
    isLoading,
    isFetching: header.isFetching || rows.isFetching,
    isFormer: header.isPlaceholderData || rows.isPlaceholderData,
    reading: {
      error: header.error ?? rows.error,
      refetch: () => Promise.all([header.refetch(), rows.refetch()]),
    },
  }
}

/** How transcripts are printed. */
interface PrintChoice extends Period {
  lang?: PrintLang
  recIds?: string[]
}

/** Exports the transcripts of students as one file; of many, the person is asked why. */
export const exportTranscripts = (
  suIds: readonly string[],
  choice: PrintChoice = {},
  onDone?: () => void,
): Promise<void> =>
  exportFile(
    transcriptApi.export,
    { suIds: [...suIds], ...choice },
    {
      onDone: (name) => {
        notify('success', `已导出 ${name}`)
        onDone?.()
        void refreshAll()
      },
    },
  )
