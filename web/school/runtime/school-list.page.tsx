import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState, type ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { operatorApi } from '../../../contract/school/runtime/schools.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { AreaField, TextField } from '../../core/form/fields.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { figure, fileSizeText } from '../../core/service/figure.ts'
import { AddSchoolDialog, QuotaDialog } from './school-dialogs.tsx'
import './runtime.css'

type Row = RowOf<typeof operatorApi.schools>
const action = actionOn<Row>()

const suspend = action({
  label: '暂停',
  call: operatorApi.suspend,
  isDanger: true,
  fits: (row) => row.can.includes('suspend'),
  question: ([row]) => `暂停${quoted(row!.schName)}？`,
  confirm:
    '一秒之内该校所有人员、程序密钥和统一身份认证都不能再使用，任务与事件推送停下；数据完整保留，已签发的成绩单仍可核验，随时可以恢复。',
  ask: (
    <>
      <TextField name="confirm" label="再次输入学校名称" autoComplete="off" />
      <AreaField name="reason" rows={2} />
    </>
  ),
  input: ([row], { confirm, reason }) => ({
    schoolId: row!.schoolId,
    confirm: String(confirm ?? ''),
    reason: String(reason ?? ''),
  }),
})
const resume = action({
  label: '恢复',
  call: operatorApi.resume,
  fits: (row) => row.can.includes('resume'),
  question: ([row]) => `恢复${quoted(row!.schName)}？`,
  confirm: '该校人员可以照常登录，停下的任务立即继续。',
  input: ([row]) => ({ schoolId: row!.schoolId }),
})

/** How much of a bound is used; from nine tenths on it is told in colour as well. */
function used(value: number, bound: number | null, text: (value: number) => string): ReactNode {
  if (bound === null) return text(value)
  const share = Math.round((value / bound) * 100)
  return (
    <span className={share >= 90 ? 'quota-nearly' : undefined} title={`配额 ${text(bound)}`}>
      {text(value)}
      <small> {share}%</small>
    </span>
  )
}

const columns: Column<Row>[] = [
  { title: '学校名称', dataIndex: 'schName', width: 200, fixed: 'left' },
  { title: '学校代码', dataIndex: 'schoolId', width: 130 },
  {
    title: '状态',
    dataIndex: 'suspendedTime',
    width: 110,
    render: (since: string | null, { suspendedWhy, isGoing }) =>
      since ? (
        <span title={`${since}，${suspendedWhy}`}>
          <StatusChip tone="refused">{isGoing ? '正在删除' : '已暂停'}</StatusChip>
        </span>
      ) : (
        <StatusChip tone="finished">使用中</StatusChip>
      ),
  },
  {
    title: '可用账号',
    dataIndex: 'people',
    width: 130,
    number: true,
    render: (people: number, { quota }) => used(people, quota.maxPeople, figure),
  },
  {
    title: '文件',
    dataIndex: 'storage',
    width: 150,
    number: true,
    render: (storage: number, { quota }) =>
      used(storage, quota.maxMegabytes === null ? null : quota.maxMegabytes * 1_048_576, fileSizeText),
  },
  {
    title: '今日消息',
    dataIndex: 'messages',
    width: 120,
    number: true,
    hiddenAtFirst: true,
    render: (messages: number, { quota }) =>
      quota.maxMessages === null ? <span className="nothing">不限</span> : used(messages, quota.maxMessages, figure),
  },
  {
    title: '最近登录',
    dataIndex: 'lastLogin',
    width: 168,
    render: (time: string | null) => time ?? <span className="nothing">从未登录</span>,
  },
  { title: '暂停原因', dataIndex: 'suspendedWhy', width: 200, hiddenAtFirst: true },
  { title: '建立时间', dataIndex: 'createTime', width: 168, hiddenAtFirst: true },
]

/** The schools of the installation, for whoever runs it. */
export function SchoolListPage() {
  const list = useList(operatorApi.schools)
  const [shown, setShown] = useState<'form' | Row>()
  const quota = action.open({
    label: '配额',
    call: operatorApi.quota,
    fits: (row) => row.can.includes('quota'),
    onOpen: ([row]) => setShown(row),
  })
  const close = () => setShown(undefined)
  return (
    <>
      <ListPage
        title="学校管理"
        list={list}
        rowKey="schoolId"
        columns={columns}
        filters={
          <>
            <TextFilter name="search" label="学校" placeholder="名称或代码" />
            <SelectFilter
              name="state"
              label="状态"
              options={[
                { value: 'working', label: '使用中' },
                { value: 'suspended', label: '已暂停' },
              ]}
            />
          </>
        }
        tools={
          <ActionButton to={operatorApi.add} icon={<PlusOutlined />} onClick={() => setShown('form')} primary>
            新建学校
          </ActionButton>
        }
        rowActions={[quota, suspend, resume]}
      />
      {shown === 'form' && <AddSchoolDialog onClose={close} />}
      {typeof shown === 'object' && <QuotaDialog {...shown} onClose={close} />}
    </>
  )
}
