import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { Form } from 'antd'
import { Link } from 'react-router'
import type { Input } from '../../../contract/core/call.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { formerClass } from '../../core/parts/former.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useDebounced } from '../../core/service/use-debounced.ts'
import { lessonPaths } from './lesson-actions.tsx'
import { periodText } from '../../shared/lessons/lesson-status.tsx'

type Plan = Input<typeof lessonApi.conflicts>
const named = [
  'startTime',
  'endTime',
  'placeText',
  'liName',
  'liPrincipalId',
  'teacherIds',
  'sessions',
  'lsId',
  'liLevel',
  'liCollegeId',
  'liDepartmentId',
  'liCircleId',
  'quota',
  'quotaUnit',
  'teamMax',
  'applyWay',
  'rangeColleges',
  'rangeGrades',
  'rangeMajors',
  'rangeClasses',
  'rangeCircles',
  'rangePolitical',
  'rangeSexes',
  'liForm',
  'liPlan',
  'contactName',
  'liHours',
] as const
/** What of the further questions of the form is looked at. */
const extNamed = ['insurance', 'safetyPlanFile'] as const

const filled = (values: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])))

/**
 * What stands in the way of the plan as typed so far, and what is risky about it: asked for when typing rests, told
 * with links, never refused.
 */
export function Conflicts({ liId }: { liId: string | undefined }) {
  const form = Form.useFormInstance()
  const typed = Form.useWatch(
    (values: Record<string, unknown>) =>
      JSON.stringify({
        ...filled(values, named),
        liExt: filled((values['liExt'] ?? {}) as Record<string, unknown>, extNamed),
      }),
    { form, preserve: true },
  ) as string | undefined
  const wanted = useDebounced(typed ?? '{}', 600)
  const plan = JSON.parse(wanted) as Partial<Plan>
  const isReady = Boolean(plan.startTime && plan.endTime && plan.startTime < plan.endTime)
  const { data = [], isPlaceholderData } = useCall(
    lessonApi.conflicts,
    { ...(plan as Plan), ...(liId && { liId }) },
    { enabled: isReady, keepPrevious: true },
  )
  if (!isReady || data.length === 0) return null
  // it is of the plan before until typing has rested as well
  const isFormer = isPlaceholderData || wanted !== (typed ?? '{}')
  return (
    <div className={formerClass(isFormer, 'span-12', 'conflicts')} role="status" aria-busy={isFormer}>
      <p>
        <WarningOutlined /> 请留意以下安排，不影响保存，审批人也会看到：
      </p>
      <ul>
        {data.map(({ kind, text, lessons }) => (
          <li key={kind + text}>
            {text}
            {lessons.length > 0 && '：'}
            {lessons.map((one, at) => (
              <span key={one.liId || at}>
                {at > 0 && '、'}
                {one.liId ? (
                  <Link to={lessonPaths.detail(one)} target="_blank">
                    {one.liName}
                  </Link>
                ) : (
                  one.liName
                )}
                （{periodText(one.startTime, one.endTime)}）
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}
