import { figure } from '../../core/service/figure.ts'
import ExperimentOutlined from '@ant-design/icons/ExperimentOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import TableOutlined from '@ant-design/icons/TableOutlined'
import { Modal } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus } from '../../../contract/core/codes/rules.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectField } from '../../core/form/fields.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { isCounted, ListTotal } from '../../core/list/list-total.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { notify } from '../../core/service/notice.tsx'
import { usePreviewedRow } from '../../core/list/use-previewed-row.ts'
import { usePreview } from '../../core/screen/use-address.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'
import { CategoryPanel, type Category } from './category-panel.tsx'
import { FlowDrawer } from './flow-drawer.tsx'
import { FlowIcon } from './flow-icons.tsx'
import { StopImpact } from './stop-impact.tsx'
import { switchMeaning } from './switch-meaning.ts'
import { VersionDrawer } from './version-drawer.tsx'
import './workflow.css'

type Row = RowOf<typeof workflowApi.list>
const flowTones: Record<string, ChipTone> = {
  [flowStatus.enabled]: 'finished',
  [flowStatus.disabled]: 'draft',
  [flowStatus.draft]: 'waiting',
}
const none: Category[] = []
const action = actionOn<Row>()
const can = (verdict: Row['can'][number]) => (row: Row) => row.can.includes(verdict)

const edit = action.link({
  label: '编辑',
  call: workflowApi.save,
  fits: can('edit'),
  href: ({ wfId }) => flowPaths.edit(wfId),
})
const clone = action.link({
  label: '克隆',
  call: workflowApi.addClone,
  href: ({ wfId }) => flowPaths.copy(wfId),
})
const toStatus = (label: string, wfStatus: keyof typeof switchMeaning, note?: (rows: readonly Row[]) => ReactNode) =>
  action({
    ...(note && { note }),
    label,
    call: workflowApi.switchStatus,
    unit: '个流程',
    fits: can(wfStatus === flowStatus.enabled ? 'enable' : 'disable'),
    confirm: switchMeaning[wfStatus],
    input: (rows) => ({ wfIds: rows.map(({ wfId }) => wfId), wfStatus }),
    after: ({ changed }) =>
      changed.length > 0 &&
      notify('warning', `${changed.length} 个样例的结果已改变：${changed.join('、')}，请在流程沙盘中核对`),
  })
const enable = toStatus('启用', flowStatus.enabled)
const disable = toStatus('停用', flowStatus.disabled, (rows) => <StopImpact wfIds={rows.map(({ wfId }) => wfId)} />)
const remove = action.remove({
  call: workflowApi.remove,
  confirm: '删除后不能恢复，已结束的审批记录仍保留。',
  note: ([row]) => <StopImpact wfIds={[row!.wfId]} />,
  input: ([row]) => ({ wfId: row!.wfId }),
})
/** A flow that approvals run by cannot be deleted; whoever asks is told how many they are. */
const refuseRemoval = action.open({
  label: '删除',
  call: workflowApi.remove,
  isDanger: true,
  fits: (row) => !can('delete')(row),
  onOpen: ([row]) => void showOccupied(row!),
})
async function showOccupied({ wfId, wfName }: Row): Promise<void> {
  const { occupied, runningCount } = await send(workflowApi.occupied, { wfId })
  Modal.info({
    title: `${quoted(wfName)}不能删除`,
    content: occupied
      ? `有 ${figure(runningCount)} 个审批正在按该流程运行，结束后才能删除。可先停用，新的申请便不再采用该流程。`
      : '运行中的审批刚刚结束，请刷新列表后重试。',
    okText: '知道了',
  })
}
const moveTo = (categories: readonly Category[]) =>
  action({
    label: '移动',
    call: workflowApi.move,
    unit: '个流程',
    ask: (
      <SelectField
        name="wfcId"
        label="移动到"
        required
        options={categories.map(({ wfcId, wfcName }) => ({ value: wfcId, label: wfcName }))}
      />
    ),
    input: (rows, given) => ({ wfId: rows.map(({ wfId }) => wfId), wfcId: String(given['wfcId'] ?? '') }),
  })

/** Approval flows by category: which cases each rules, how many steps it has and how many approvals run by it. */
export function FlowListPage() {
  const list = useList(workflowApi.list)
  const { data: read } = useCall(workflowApi.typeList, {}, { keepPrevious: true })
  const categories = read ?? none
  const [viewing, setViewing] = usePreview()
  const move = useMemo(() => moveTo(categories), [categories])
  const [versionsOf, showVersions] = usePreviewedRow(list, ({ wfId }) => wfId, 'versions')
  const versions = action.open({
    label: '历史版本',
    call: workflowApi.versions,
    onOpen: ([row]) => showVersions(row!.wfId),
  })
  const view = action.open({ label: '查看', call: workflowApi.editInit, onOpen: ([row]) => setViewing(row!.wfId) })
  const columns: Column<Row>[] = [
    {
      title: '流程名称',
      dataIndex: 'wfName',
      width: 232,
      fixed: 'left',
      sorter: true,
      render: (name: string, row) => (
        <span className="flow-entry">
          <FlowIcon name={row.wfIcon} />
          {row.can.includes('edit') ? (
            <Link to={edit.href(row)} title={name}>
              {name}
            </Link>
          ) : (
            <button type="button" className="row-act" onClick={() => setViewing(row.wfId)}>
              {name}
            </button>
          )}
          {row.isDefault === yesNo.yes && <StatusChip tone="published">默认</StatusChip>}
        </span>
      ),
    },
    { title: '类型', dataIndex: 'wfType', width: 92, sorter: true, dict: 'wf_type' },
    { title: '状态', dataIndex: 'wfStatus', width: 88, sorter: true, dict: 'flow_status', tones: flowTones },
    { title: '适用范围', key: 'ranges', render: (_, row) => rangeText(row) },
    { title: '步骤', dataIndex: 'stepCount', width: 76, number: true, sorter: true, hiddenAtFirst: true },
    { title: '运行中', dataIndex: 'runningCount', width: 88, number: true, sorter: true },
    {
      title: '版本',
      dataIndex: 'wfVersion',
      width: 76,
      number: true,
      sorter: true,
      hiddenAtFirst: true,
      render: (value: number) => `V${value}`,
    },
    { title: '分类', dataIndex: 'wfcName', width: 120, sorter: true, hiddenAtFirst: true },
    { title: '更新时间', dataIndex: 'updateTime', width: 168, sorter: true, hiddenAtFirst: true },
  ]
  const wfcId = list.state.filters['wfcId']
  const add = (primary: boolean) => (
    <ActionButton
      to={workflowApi.save}
      href={flowPaths.add(wfcId ? { wfcId } : {})}
      primary={primary}
      disabled={categories.length === 0}
      icon={<PlusOutlined />}
    >
      新增流程
    </ActionButton>
  )
  return (
    <div className="page">
      <PageHead
        title="流程管理"
        facts={
          isCounted(list) && (
            <>
              <ListTotal list={list} unit="个流程" />
              ；提交审批时，按适用范围最具体的启用流程办理
            </>
          )
        }
        tools={
          <>
            <ExportButton to={workflowApi.exportList} list={list} />
            <ActionButton to={trialApi.coverage} href={flowPaths.coverage} icon={<TableOutlined />}>
              覆盖图
            </ActionButton>
            <ActionButton to={trialApi.sandbox} href={flowPaths.sandbox} icon={<ExperimentOutlined />}>
              流程沙盘
            </ActionButton>
            {add(true)}
          </>
        }
      />
      <div className="flow-list">
        <CategoryPanel categories={categories} chosen={wfcId} onChoose={(next) => list.setFilters({ wfcId: next })} />
        <ListTable
          list={list}
          rowKey="wfId"
          columns={columns}
          filters={
            <>
              <TextFilter name="wfName" label="流程名称" />
              <DictionaryFilter name="wfType" type="wf_type" label="类型" />
              <DictionaryFilter name="wfStatus" type="flow_status" label="状态" />
            </>
          }
          rowActions={[edit, view, enable, disable, clone, versions, move, remove, refuseRemoval]}
          batchActions={[enable, disable, move]}
          empty={{
            text: '暂无流程',
            hint: read?.length === 0 ? '请先新增流程分类。' : '没有流程时，课程与补录无法提交审批。',
            next: add(false),
          }}
        />
      </div>
      {versionsOf && (
        <VersionDrawer wfId={versionsOf.wfId} wfType={versionsOf.wfType} onClose={() => showVersions(undefined)} />
      )}
      {viewing && <FlowDrawer wfId={viewing} onClose={() => setViewing(undefined)} />}
    </div>
  )
}

/** Role, curriculum and level in words; what is open says so only where something else is named. */
function rangeText({
  isDefault,
  roles,
  classes,
  levelNames,
  needCreditOnly,
}: Pick<Row, 'isDefault' | 'roles' | 'classes' | 'levelNames' | 'needCreditOnly'>): string {
  if (isDefault === yesNo.yes) return '其他流程都不适用时'
  const parts = [
    ...[roles, classes, levelNames].filter((names) => names.length > 0).map((names) => names.join('、')),
    ...(needCreditOnly === yesNo.yes ? ['授予学分的'] : []),
  ]
  return parts.length > 0 ? parts.join(' · ') : '全部角色、课程体系与级别'
}
