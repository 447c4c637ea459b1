import { useMemo } from 'react'
import type { Input } from '../../../contract/core/call.ts'
import { admissionApi } from '../../../contract/programme/lessons/admission.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { CollegePlaces, MajorsAndClasses, usePlaces } from './form-range.tsx'
import { SignPlace } from './form-place.tsx'
import { collegeRows } from './lesson-form.ts'

/**
 * For whom a course is beyond college and grade, how its places are shared out among colleges, and where people sign
 * in.
 */
export function RegisterRulesDialog({
  lesson: { liId, liName },
  onClose,
}: {
  lesson: LessonDetail
  onClose: () => void
}) {
  const { data: rules } = useCall(admissionApi.rules, { liId }, { staleTime: 0 })
  const trees = usePlaces()
  const initial = useMemo(
    () =>
      rules && {
        version: rules.version,
        rangeMajors: rules.rangeMajors.map(({ id }) => id),
        rangeClasses: rules.rangeClasses.map(({ id }) => id),
        quotaByCollege: rules.quotaByCollege.map(({ scId, quota }) => ({ scId, quota })),
        signLng: rules.signLng ?? undefined,
        signLat: rules.signLat ?? undefined,
        signRadius: rules.signRadius ?? undefined,
      },
    [rules],
  )
  const admitted = new Map(rules?.quotaByCollege.map((row) => [row.scId, row.admitted]))
  const isFixed = rules ? !rules.rangeOpen : true
  return (
    <DialogForm
      title={`报名与签到设置：${liName}`}
      call={admissionApi.saveRules}
      width={640}
      isLoading={!initial}
      initial={initial}
      input={(values) => ({
        ...(values as unknown as Input<typeof admissionApi.saveRules>),
        liId,
        quotaByCollege: collegeRows(values['quotaByCollege']) as never,
      })}
      onClose={onClose}
    >
      <MajorsAndClasses trees={trees} isFixed={isFixed} />
      <CollegePlaces quota={rules?.quota} admitted={admitted} />
      <SignPlace signType={rules?.signType} />
    </DialogForm>
  )
}
