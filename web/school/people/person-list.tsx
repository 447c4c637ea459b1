import IdcardOutlined from '@ant-design/icons/IdcardOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useMemo, useState, type ReactNode } from 'react'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import type { StudentRow } from '../../../contract/school/people/students.calls.ts'
import type { TeacherRow } from '../../../contract/school/people/teachers.calls.ts'
import type { RowAction } from '../../core/action/action.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import type { MoreFilters, View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import type { List } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { withAccountActions } from './account-actions.tsx'
import { FindPersonDialog } from './find-person.tsx'
import { personKinds, type PersonKind } from './person-kinds.ts'
import { AccountChip } from './person-parts.tsx'

type PersonRow = StudentRow | TeacherRow

/** The columns of a list of people: who they are and their account, then `own`, then what is hidden at first. */
export function personColumns<R extends PersonRow>(kind: PersonKind, own: readonly Column<R>[]): Column<R>[] {
  const { number, status, paths } = personKinds[kind]
  return [
    {
      title: '姓名',
      dataIndex: 'suiName',
      fixed: 'left',
      width: 104,
      sorter: true,
      to: ({ suId }) => paths.detail(suId),
    },
    { title: number.title, dataIndex: 'suiNumber', width: number.width, sorter: true },
    {
      title: status.title,
      dataIndex: 'suiStatus',
      width: 92,
      render: (value: string) => <DictionaryChip type={status.type} value={value} tones={status.tones} />,
    },
    { title: '账号', dataIndex: 'suStatus', width: 92, render: (_, row) => <AccountChip {...row} /> },
    ...own,
    { title: '政治面貌', dataIndex: 'suiPolitical', width: 116, dict: 'political', hiddenAtFirst: true },
    { title: '最近登录', dataIndex: 'lastLoginTime', width: 168, hiddenAtFirst: true },
  ]
}

/** What `PersonFilters` set. */
export const personFilters = ['suiStatus', 'suiSex', 'suiPolitical', 'suStatus'] as const

/** The filters by what is known of everybody; the political status only for those who may see what is sensitive. */
export function PersonFilters({ kind }: { kind: PersonKind }) {
  const { status } = personKinds[kind]
  const maySeeAll = usePermission()(piiApi.find)
  return (
    <>
      <DictionaryFilter name="suiStatus" type={status.type} label={status.title} />
      <DictionaryFilter name="suiSex" type="sex" label="性别" />
      {maySeeAll && <DictionaryFilter name="suiPolitical" type="political" label="政治面貌" />}
      <DictionaryFilter name="suStatus" type="account_status" label="账号状态" />
    </>
  )
}

interface PersonListPageProps<R extends PersonRow> {
  kind: PersonKind
  list: List<R>
  views: readonly View[]
  columns: readonly Column<R>[]
  /** Beside the filter by name and number. */
  filters: ReactNode
  moreFilters: MoreFilters
  /** Before the tools of every list of people. */
  tools?: ReactNode
  importHint: string
  emptyHint: string
  /** What may be done to a row and to several, removing last; switching the account goes before it. */
  acts: readonly RowAction<R>[]
  batch: readonly RowAction<R>[]
  dialogs: ReactNode
}

/** The people of one kind whom the person may see, and what may be done to each. */
export function PersonListPage<R extends PersonRow>({
  kind,
  list,
  views,
  columns,
  filters,
  moreFilters,
  tools,
  importHint,
  emptyHint,
  acts,
  batch,
  dialogs,
}: PersonListPageProps<R>) {
  const { noun, number, api, paths } = personKinds[kind]
  const [isFinding, setFinding] = useState(false)
  const maySeeAll = usePermission()(piiApi.find)
  const openColumns = useMemo(
    () => (maySeeAll ? columns : columns.filter(({ dataIndex }) => dataIndex !== 'suiPolitical')),
    [columns, maySeeAll],
  )
  return (
    <>
      <ListPage<R>
        title={`${noun}管理`}
        list={list}
        rowKey="suId"
        keepsViews
        views={views}
        columns={openColumns}
        filters={
          <>
            <TextFilter name="search" label={`姓名或${number.title}`} />
            {filters}
          </>
        }
        moreFilters={moreFilters}
        tools={
          <>
            {tools}
            <ActionButton to={piiApi.find} icon={<IdcardOutlined />} onClick={() => setFinding(true)}>
              按号码查找
            </ActionButton>
            <ExportButton to={api.exportList} list={list} />
            <ImportButton
              to={api.save}
              api={importApi}
              kind={kind}
              title={`批量导入${noun}`}
              hint={`按${number.title}识别：已有的更新，没有的新增。${importHint}`}
            />
            <ActionButton to={api.save} href={paths.add} icon={<PlusOutlined />} primary>
              新增{noun}
            </ActionButton>
          </>
        }
        rowActions={withAccountActions(kind, acts)}
        batchActions={withAccountActions(kind, batch)}
        empty={{
          text: `暂无${noun}`,
          hint: emptyHint,
          next: (
            <ActionButton to={api.save} href={paths.add}>
              新增{noun}
            </ActionButton>
          ),
        }}
      />
      {dialogs}
      {isFinding && <FindPersonDialog onClose={() => setFinding(false)} />}
    </>
  )
}
