import WarningOutlined from '@ant-design/icons/WarningOutlined'
import { Form } from 'antd'
import { Link } from 'react-router'
import type { Input } from '../../../contract/core/call.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useDebounced } from '../../core/service/use-debounced.ts'
import { lessonPaths } from './lesson-actions.tsx'
import { periodText } from '../../shared/lessons/lesson-status.tsx'

type Plan = Input<typeof lessonApi.conflicts>
const named = ['startTime', 'endTime', 'placeText', 'liName', 'liPrincipalId', 'teacherIds', 'sessions'] as const

/** What stands in the way of the plan as typed so far: asked for when typing rests, told with links, never refused. */
export function Conflicts({ liId }: { liId: string | undefined }) {
  const form = Form.useFormInstance()
  const typed = Form.useWatch(
    (values: Record<string, unknown>) =>
      JSON.stringify(Object.fromEntries(named.flatMap((name) => (values[name] ? [[name, values[name]]] : [])))),
    { form, preserve: true },
  ) as string | undefined
  const plan = JSON.parse(useDebounced(typed ?? '{}', 600)) as Partial<Plan>
  const isReady = Boolean(plan.startTime && plan.endTime && plan.startTime < plan.endTime)
  const { data = [] } = useCall(
    lessonApi.conflicts,
    { ...(plan as Plan), ...(liId && { liId }) },
    { enabled: isReady, keepPrevious: true },
  )
  if (!isReady || data.length === 0) return null
  return (
    <div className="span-12 conflicts" role="status">
      <p>
        <WarningOutlined /> 以下安排可能冲突，不影响保存：
      </p>
      <ul>
        {data.map(({ kind, text, lessons }) => (
          <li key={kind + text}>
            {text}：
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
