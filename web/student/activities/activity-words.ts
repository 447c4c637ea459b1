import { applyStatus, applyWay } from '../../../contract/core/codes/programme.ts'
import type { Tone } from '../parts/pieces.tsx'

/** How the state of a registration is coloured. */
export const applyTones: Record<string, Tone> = {
  [applyStatus.pending]: 'waiting',
  [applyStatus.accepted]: 'finished',
  [applyStatus.waitlisted]: 'waiting',
  [applyStatus.refused]: 'refused',
  [applyStatus.onLeave]: 'draft',
}

/** Who decides about a registration, in a sentence. */
export const decidedBy: Record<string, string> = {
  [applyWay.firstCome]: '先到先得，报名即录取',
  [applyWay.review]: '报名后由活动负责人审核录取',
  [applyWay.draw]: '报名截止后抽签录取，与报名先后无关',
  [applyWay.importedList]: '名单由组织者导入',
  [applyWay.noRegistration]: '无需报名，到场参加',
}

/** A stretch of time as people say it: the day once where it is the same. */
export const spanText = (start: string, end: string): string =>
  start.slice(0, 10) === end.slice(0, 10)
    ? `${start.slice(5, 16)} 至 ${end.slice(11, 16)}`
    : `${start.slice(5, 16)} 至 ${end.slice(5, 16)}`
