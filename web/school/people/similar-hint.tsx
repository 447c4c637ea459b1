import { Alert, Form } from 'antd'
import { Link } from 'react-router'
import { isMasked } from '../../../contract/school/people/people.fields.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useDebounced } from '../../core/service/use-debounced.ts'
import { personKinds, type PersonKind } from './person-kinds.ts'

/** Warns that the person may be on file already. It keeps nobody from saving: two people may well be alike. */
export function SimilarHint({
  kind,
  suId,
  former,
}: {
  kind: PersonKind
  suId?: string | undefined
  former?: string | undefined
}) {
  const { api, paths } = personKinds[kind]
  const form = Form.useFormInstance()
  const suiName = useDebounced(Form.useWatch<string | undefined>('suiName', form)?.trim() ?? '', 500)
  const birth = Form.useWatch<string | null | undefined>('birth', form) ?? ''
  const suiCollegeId = Form.useWatch<string | null | undefined>('suiCollegeId', form) ?? ''
  const isNew = suiName !== (former ?? '')
  const input = {
    suiName,
    ...(birth && !isMasked(birth) && { birth }),
    ...(suiCollegeId && { suiCollegeId }),
    ...(suId && { suId }),
  }
  const { data } = useCall(api.similar, input, {
    enabled: isNew && suiName.length > 1 && Boolean(input.birth ?? input.suiCollegeId),
    staleTime: 300_000,
  })
  if (!isNew || !data || data.people.length === 0) return null
  return (
    <Alert
      className="similar-hint"
      type="warning"
      showIcon
      title={
        data.byBirth ? '已有同名且出生日期相同的人员，请确认不是重复录入' : '本学院已有同名人员，请确认不是重复录入'
      }
      description={
        <ul>
          {data.people.map((one) => (
            <li key={one.suId}>
              <Link to={paths.detail(one.suId)}>{one.suiName}</Link>{' '}
              {[one.suiNumber, one.className ?? one.collegeName].filter(Boolean).join(' · ')}
            </li>
          ))}
        </ul>
      }
    />
  )
}
