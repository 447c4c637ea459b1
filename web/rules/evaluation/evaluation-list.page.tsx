import PlusOutlined from '@ant-design/icons/PlusOutlined'
import dayjs from 'dayjs'
import { useState } from 'react'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { DictionaryChip, enableTones, StatusChip } from '../../core/parts/status-chip.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useList, type RowOf } from '../../core/list/use-list.ts'
import { useClassTree, useLevelChoices } from './evaluation-choices.ts'
import { LevelsDialog } from './levels-dialog.tsx'

type Row = RowOf<typeof evaluationApi.all>
const action = actionOn<Row>()
const home = '/basicConfig/EvaluationSystem'
const editHref = (esId: string) => `${home}/EditEvaluationSystem?esId=${esId}`

const edit = action.link({
  label: '编辑',
  call: evaluationApi.edit,
  fits: (row) => row.can.includes('edit'),
  href: ({ esId }) => editHref(esId),
})
const remove = action.remove({
  call: evaluationApi.remove,
  unit: '条评价规则',
  confirm: '删除后，该体系与级别的新课程只按申报学时认定。',
  input: (rows) => ({ ids: rows.map(({ esId }) => esId) }),
})
const nameOf = (row: Row) => `${row.lsFullName} · ${row.levelName}`

/** Whether a rule holds for new courses today: an open one may still be to come, or over. */
function RuleState({ rule: { enable, effectFrom, effectTo } }: { rule: Row }) {
  const today = dayjs().format('YYYY-MM-DD')
  if (enable === enableStatus.enabled && effectFrom > today)
    return (
      <span title={`${effectFrom} 起生效，此前的课程按上一版`}>
        <StatusChip tone="waiting">待生效</StatusChip>
      </span>
    )
  if (enable === enableStatus.enabled && effectTo && effectTo < today)
    return (
      <span title={`${effectTo} 已失效，新课程只按申报学时认定`}>
        <StatusChip tone="draft">已失效</StatusChip>
      </span>
    )
  return <DictionaryChip type="enable_status" value={enable} tones={enableTones} />
}

/** Scoring rules: what a course of a system and level gives. */
export function EvaluationListPage() {
  const list = useList(evaluationApi.all)
  const may = usePermission()
  const [isLevels, setLevels] = useState(false)
  const columns: Column<Row>[] = [
    {
      title: '课程体系',
      dataIndex: 'lsFullName',
      width: 172,
      fixed: 'left',
      to: (row) => may(evaluationApi.edit) && editHref(row.esId),
    },
    { title: '级别', dataIndex: 'levelName', width: 128, sorter: true },
    { title: '状态', dataIndex: 'enable', width: 92, sorter: true, render: (_, row) => <RuleState rule={row} /> },
    { title: '学时', dataIndex: 'baseHours', width: 80, number: true, sorter: true },
    { title: '上限', dataIndex: 'hourCap', width: 80, number: true, sorter: true },
    { title: '学分', dataIndex: 'credit', width: 80, number: true, sorter: true },
    { title: '积分', dataIndex: 'points', width: 80, number: true, sorter: true },
    {
      title: '能力权重',
      key: 'abilities',
      render: (_, row) =>
        row.abilityRules.map(({ sqlName, weight }) => `${sqlName} ${weight}%`).join('、') || (
          <span className="nothing">不计能力分</span>
        ),
    },
    { title: '规则名称', dataIndex: 'esName', width: 180, sorter: true, hiddenAtFirst: true },
    { title: '采用课程', dataIndex: 'lessonCount', width: 80, number: true },
    {
      title: '版本',
      dataIndex: 'versionNo',
      width: 80,
      number: true,
      sorter: true,
      hiddenAtFirst: true,
      render: (value: number) => `V${value}`,
    },
    { title: '生效日期', dataIndex: 'effectFrom', width: 120, sorter: true, hiddenAtFirst: true },
    { title: '更新时间', dataIndex: 'updateTime', width: 168, sorter: true, hiddenAtFirst: true },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={evaluationApi.add} href={`${home}/AddEvaluationSystem`} primary={primary} icon={<PlusOutlined />}>
      新增评价体系
    </ActionButton>
  )
  return (
    <>
      <ListPage
        title="评价体系"
        facts="课程按“课程体系 × 级别”的规则认定学时、学分、积分与能力分"
        list={list}
        rowKey="esId"
        nameOf={nameOf}
        columns={columns}
        filters={
          <>
            <CascadeFilter name="lsId" label="课程体系" tree={useClassTree().tree} />
            <SelectFilter name="esLessonLevel" label="级别" options={useLevelChoices()} />
            <TextFilter name="esName" label="规则名称" />
            <DictionaryFilter name="enable" type="enable_status" label="状态" />
          </>
        }
        tools={
          <>
            <ExportButton to={evaluationApi.exportList} list={list} />
            <ActionButton to={evaluationApi.saveLevels} onClick={() => setLevels(true)}>
              级别设置
            </ActionButton>
            {add(true)}
          </>
        }
        rowActions={[edit, remove]}
        batchActions={[remove]}
        empty={{ text: '暂无评价规则', hint: '先为各课程体系设置每个级别给多少学时、学分与能力分。', next: add(false) }}
      />
      {isLevels && <LevelsDialog onClose={() => setLevels(false)} />}
    </>
  )
}
