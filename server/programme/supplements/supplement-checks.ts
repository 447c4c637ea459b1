import { supProof } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure, type FieldFault } from '../../../contract/core/failure.ts'
import { opensOn, windowText } from '../../../contract/rules/curriculum/supplement-window.ts'
import type { RecordingPlace } from '../../rules/curriculum/recordings.service.ts'
import type { SupplementWorld } from './supplement-lookups.queries.ts'

/** Pure checks of a record's dates, window and proofs. */

/** The day of obtaining lies in the student's years at the school, and not ahead. */
export function obtainFault(
  day: string,
  grade: string | null,
  { today, settings }: Pick<SupplementWorld, 'today' | 'settings'>,
): FieldFault | undefined {
  if (day > today) return { field: 'lisObtainDate', msg: '获得日期不能晚于今天' }
  const entered = /^\d{4}$/.test(grade ?? '') ? `${grade}-${settings.autumnStart}` : undefined
  return entered && day < entered
    ? { field: 'lisObtainDate', msg: `获得日期早于该学生入学（${entered}），不能补录` }
    : undefined
}

/** Why a module takes nothing today; undefined where it does, or for whoever looks after the whole school. */
export function windowFailure(
  place: RecordingPlace | undefined,
  { today, isWhole }: Pick<SupplementWorld, 'today' | 'isWhole'>,
): Failure | undefined {
  const recording = place?.recording
  if (!recording || recording.isOpen || isWhole) return undefined
  const next = opensOn(recording.window, today)
  return new Failure('sup-closed', {
    name: place.fullName,
    window: windowText(recording.window),
    next: next ? `，${next} 起开放` : '，请联系校级管理员',
  })
}

/** The proofs a record has, by the kinds of `dictionary.sup_proof`. */
interface GivenProofs {
  lisDesc: string
  certNo: string
  certUrl: string
  images: number
  documents: number
}

/** What the module asks for and the record lacks, in words; any file will do for a paper. */
export function missingProofs(
  asked: readonly string[],
  { lisDesc, certNo, certUrl, images, documents }: GivenProofs,
): string[] {
  const has: Record<string, boolean> = {
    [supProof.text]: lisDesc !== '',
    [supProof.image]: images > 0,
    [supProof.file]: images + documents > 0,
    [supProof.certificateNumber]: certNo !== '',
    [supProof.url]: certUrl !== '',
  }
  return asked.filter((kind) => has[kind] === false).map((kind) => labelOf('sup_proof', kind))
}

/** `2/5` -> second of five; null where the text is none, undefined where it is empty. */
export function teamOf(text: string): { lisRank: number; lisTeamSize: number } | null | undefined {
  if (text === '') return undefined
  const match = /^(\d{1,3})\s*[/／]\s*(\d{1,3})$/.exec(text)
  const [lisRank, lisTeamSize] = [Number(match?.[1]), Number(match?.[2])]
  return match && lisTeamSize >= 2 && lisTeamSize <= 100 && lisRank >= 1 && lisRank <= lisTeamSize
    ? { lisRank, lisTeamSize }
    : null
}
