import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { circleAuthStatus, circleStatus, circleReview } from '../../../contract/core/codes/programme.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import { DictionaryChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'

export const circlePaths = {
  list: '/communityAdmin/communityList',
  add: '/communityAdmin/communityList/add',
  edit: (ciId: string) => `/communityAdmin/communityList/edit?ciId=${ciId}`,
  detail: (ciId: string) => `/communityAdmin/communityList/detail?ciId=${ciId}`,
  own: '/personalCenter/community',
  classes: '/communityAdmin/communityCategory',
  mine: (ciId: string) => `/personalCenter/community/detail?ciId=${ciId}`,
}

export const circleTones: Record<string, ChipTone> = {
  [circleStatus.enabled]: 'finished',
  [circleStatus.disabled]: 'draft',
  [circleStatus.rectifying]: 'refused',
  [circleStatus.dissolved]: 'draft',
}
export const authTones: Record<string, ChipTone> = {
  [circleAuthStatus.pending]: 'waiting',
  [circleAuthStatus.passed]: 'finished',
  [circleAuthStatus.refused]: 'refused',
  [circleAuthStatus.withdrawn]: 'draft',
}
export const reviewTones: Record<string, ChipTone> = {
  [circleReview.passed]: 'finished',
  [circleReview.rectify]: 'waiting',
  [circleReview.failed]: 'refused',
}

/** A circle's status; one that is not founded yet shows how far its founding has come. */
export const CircleStatus = ({
  circle: { ciStatus, ciAuthStatus },
}: {
  circle: { ciStatus: string; ciAuthStatus: string }
}) =>
  ciAuthStatus === circleAuthStatus.passed ? (
    <DictionaryChip type="circle_status" value={ciStatus} tones={circleTones} />
  ) : (
    <DictionaryChip type="circle_auth_status" value={ciAuthStatus} tones={authTones} />
  )

/** The school's kinds of circle as they are read: undefined until they are known. */
export function useCircleClassReading() {
  const { data, error, refetch } = useCall(circleApi.classes, {}, { staleTime: 60_000 })
  const classes: Choice[] | undefined = data?.map(({ ccId, ccName }) => ({ value: ccId, label: ccName }))
  return { classes, error, refetch }
}
/** The school's kinds of circle. */
export const useCircleClasses = (): Choice[] => useCircleClassReading().classes ?? []
/** The colleges a circle may be attached to. */
export const useCircleColleges = (): Choice[] =>
  (useCall(circleApi.colleges, {}, { staleTime: 300_000 }).data ?? []).map(({ scId, scName }) => ({
    value: scId,
    label: scName,
  }))

/** Circles with the person in charge of each, in one order, as acts on several take them. */
export const pairsOf = (rows: readonly { ciId: string; cpiPersonId: string }[]) => ({
  ciIds: rows.map(({ ciId }) => ciId),
  cpiPersonIds: rows.map(({ cpiPersonId }) => cpiPersonId),
})
