import type { Call, Input } from '../../../contract/core/call.ts'
import type { ownSupplementApi } from '../../../contract/student/supplements.calls.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { useCall, type Answer } from '../../core/service/use-call.ts'
import { useDebounced } from '../../core/service/use-debounced.ts'

/** What stands in the form of a record; the student's own has no `suId`. */
type Values = Readonly<Record<string, string | number | undefined>>

interface AnswerState<C extends Call> {
  /** Undefined before the first answer, and where there is nothing to ask. */
  data: Answer<C>
  isPending: boolean
  /** Whether `data` answers what stood in the form before. */
  isFormer: boolean
}

/** Asks, once the hand has rested for `pause` milliseconds, what is written as JSON; an empty text asks nothing. */
function useQuestion<C extends Call>(call: C, question: string, pause: number): AnswerState<C> {
  const wanted = useDebounced(question, pause)
  const { data, isPending, isPlaceholderData } = useCall(call, JSON.parse(wanted || '{}') as Input<C>, {
    enabled: wanted !== '',
    keepPrevious: true,
    quiet: true,
  })
  return { data: question === '' ? undefined : data, isPending, isFormer: isPlaceholderData || wanted !== question }
}

/** Who will decide on a record and what it will give; nothing is asked before `isChosen`. */
export function useFormPreview<C extends typeof supplementApi.flowPreview | typeof ownSupplementApi.preview>(
  call: C,
  { suId, lsId, lisLevel, lisType, lisPartakeMode, lisAward, lisTeamSize, lisRank, lisHoursDeclared }: Values,
  isChosen: boolean,
): AnswerState<C> {
  const isTeam = Number(lisTeamSize) >= 2 && Number(lisRank) >= 1
  const question = {
    suId,
    lsId,
    lisLevel,
    ...(lisType && { lisType }),
    ...(lisPartakeMode && { lisPartakeMode }),
    ...(lisAward && { lisAward }),
    ...(isTeam && { lisTeamSize: Number(lisTeamSize), lisRank: Number(lisRank) }),
    ...(lisHoursDeclared && { lisHoursDeclared: String(lisHoursDeclared) }),
  }
  return useQuestion(call, isChosen ? JSON.stringify(question) : '', 300)
}

/** Records that look like the one in the form; nothing is asked before `isReady`. */
export function useFormHints<C extends typeof supplementApi.dupHints | typeof ownSupplementApi.dupHints>(
  call: C,
  { lisId, suId, lisName, lisObtainDate, certNo }: Values,
  proofs: readonly string[],
  isReady: boolean,
): AnswerState<C> {
  const text = (value: string | number | undefined) => String(value ?? '').trim() || undefined
  const question = {
    lisId,
    suId,
    lisName: text(lisName),
    lisObtainDate: text(lisObtainDate),
    certNo: text(certNo),
    lisProofs: proofs,
  }
  return useQuestion(call, isReady ? JSON.stringify(question) : '', 500)
}
