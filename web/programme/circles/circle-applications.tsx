import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { DictionaryFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { useList } from '../../core/list/use-list.ts'
import { applicationActions, applicationColumns, ApplicationFacts } from './application-parts.tsx'

const { pass, refuse, withdraw } = applicationActions
const [first, ...rest] = applicationColumns

/** What was applied for in a circle's name. */
export function CircleApplications({ ciId }: { ciId: string }) {
  const list = useList(circleApplyApi.list, { fixed: { ciId }, under: 'applications' })
  return (
    <ListTable
      name="circle-applications"
      list={list}
      rowKey="caId"
      columns={[
        { ...first!, fixed: 'left' },
        ...rest.filter(({ dataIndex }) => dataIndex !== 'applyReason'),
        { title: '申请说明', dataIndex: 'applyReason' },
      ]}
      filters={
        <>
          <DictionaryFilter name="caType" type="circle_apply_type" label="申请类型" />
          <DictionaryFilter name="ciAuthStatus" type="circle_auth_status" label="审核状态" />
        </>
      }
      expand={(row) => <ApplicationFacts application={row} />}
      rowActions={[pass, refuse, withdraw]}
      batchActions={[pass, refuse]}
      nameOf={({ ciName }) => ciName}
      empty={{ text: '没有申请', hint: '加入、变更负责人、年审与注销的申请会列在这里。' }}
    />
  )
}
