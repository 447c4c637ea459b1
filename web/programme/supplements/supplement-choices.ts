import { useMemo } from 'react'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import type { Output } from '../../../contract/core/call.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import type { TreeNode } from '../../core/service/tree.ts'
import { useCall } from '../../core/service/use-call.ts'

const minutes = 5 * 60_000

/** The colleges whose records the person may see. */
export function useCollegeChoices(): Choice[] {
  const { data = [] } = useCall(collegeApi.options, { under: 'sup:list' }, { staleTime: minutes })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}

/** The grades that study at the school. */
export function useGradeChoices(): Choice[] {
  const { data = [] } = useCall(regionApi.grades, {}, { staleTime: minutes })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}

/** The awards of the school's templates, each name once. */
export function useAwardChoices(): Choice[] {
  const { data = [] } = useCall(awardApi.select, {}, { staleTime: minutes })
  return useMemo(
    () =>
      [...new Set(data.flatMap(({ details }) => details.map(({ adName }) => adName)))].map((name) => ({
        value: name,
        label: name,
      })),
    [data],
  )
}

export type RecordingPlace = Output<typeof curriculumApi.recordingClass>[number]

/**
 * The modules that take supplements, level by level: modules first, what lies below the one chosen last when it is
 * wanted.
 */
export function useRecordingModules(): {
  tree: TreeNode[]
  placeOf: (lsId: string | undefined) => RecordingPlace | undefined
} {
  const { data: modules = [] } = useCall(
    curriculumApi.recordingClass,
    { withClosed: yesNo.yes },
    { staleTime: minutes },
  )
  const { data: all = [] } = useCall(
    curriculumApi.all,
    { lsType: curriculumType.supplements, enable: enableStatus.enabled },
    { staleTime: minutes },
  )
  return useMemo(() => {
    const known = new Map(modules.map((place) => [place.lsId, place]))
    const node = ({ lsId, lsName, allowSup, isSupOpen, children }: (typeof all)[number]): TreeNode[] =>
      allowSup !== yesNo.yes
        ? []
        : [
            {
              value: lsId,
              label: isSupOpen ? lsName : `${lsName}（未开放）`,
              ...(children.length > 0 && { children: children.flatMap(node) }),
            },
          ]
    return { tree: all.filter(({ lsId }) => known.has(lsId)).flatMap(node), placeOf: (lsId) => known.get(lsId ?? '') }
  }, [modules, all])
}
