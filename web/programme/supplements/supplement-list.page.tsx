import { figure } from '../../core/service/figure.ts'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link } from 'react-router'
import { supplementStatus, supplementTab } from '../../../contract/core/codes/programme.ts'
import type { Input } from '../../../contract/core/call.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import { download } from '../../core/service/api.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { DateRangeFilter } from '../../core/list/date-filters.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import type { View } from '../../core/list/list-filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { dialogOnDemand } from '../../core/parts/loaded-on-demand.tsx'
import { MoreTools } from '../../core/parts/more-tools.tsx'
import { SwitchFilter } from '../../core/list/switch-filter.tsx'
import { CascadeFilter } from '../../core/list/tree-filters.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList, type List } from '../../core/list/use-list.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'
import { useSupplementActions } from './supplement-actions.tsx'
import { useLevelChoices } from '../../shared/curriculum/level-choices.ts'
import { useCollegeChoices, useGradeChoices } from './supplement-choices.ts'
import { publicityText, supplementPaths, SupplementStatus } from '../../shared/supplements/supplement-status.tsx'

const ImportWizard = dialogOnDemand(() => import('../../core/import/import-wizard.tsx'), 'ImportWizard')

const columns: Column<SupplementRow>[] = [
  {
    title: '补录名称',
    dataIndex: 'lisName',
    fixed: 'left',
    sorter: true,
    to: ({ lisId }) => supplementPaths.detail(lisId),
  },
  { title: '状态', dataIndex: 'lisStatus', width: 116, render: (_, row) => <SupplementStatus sup={row} /> },
  { title: '学生', dataIndex: 'suiName', width: 80 },
  { title: '学号', dataIndex: 'suiNumber', width: 116, sorter: true },
  { title: '类型', dataIndex: 'lisType', width: 96, dict: 'sup_type' },
  { title: '级别', dataIndex: 'lisLevelName', width: 96 },
  { title: '学时', dataIndex: 'lisHours', width: 76, number: true, sorter: true },
  { title: '获得日期', dataIndex: 'lisObtainDate', width: 108, sorter: true },
  { title: '学院', dataIndex: 'collegeName', width: 140 },
  { title: '模块', dataIndex: 'lsName', width: 148 },
  { title: '奖项', dataIndex: 'lisAward', width: 92 },
  {
    title: '公示',
    dataIndex: 'lisPublictyEdate',
    width: 196,
    sorter: true,
    render: (_, row) => publicityText(row) || <span className="nothing">—</span>,
  },
  { title: '班级', dataIndex: 'className', width: 140, hiddenAtFirst: true },
  { title: '年级', dataIndex: 'suiGrade', width: 76, hiddenAtFirst: true },
  { title: '参与方式', dataIndex: 'lisPartakeMode', width: 110, dict: 'partake_mode', hiddenAtFirst: true },
  { title: '主办或发证单位', dataIndex: 'lisOrg', width: 160, hiddenAtFirst: true },
  { title: '证书编号', dataIndex: 'certNo', width: 150, hiddenAtFirst: true },
  { title: '证明材料', dataIndex: 'proofCount', width: 92, number: true, hiddenAtFirst: true },
  { title: '学分', dataIndex: 'lisCredit', width: 76, number: true, hiddenAtFirst: true },
  { title: '来源', dataIndex: 'source', width: 110, dict: 'sup_source', hiddenAtFirst: true },
  { title: '录入人', dataIndex: 'createName', width: 92, hiddenAtFirst: true },
  { title: '录入时间', dataIndex: 'createTime', width: 168, sorter: true, hiddenAtFirst: true },
]

/** The tabs of the list with how many the other filters find of each, where so many are counted: one call. */
function useViews({ query }: List<SupplementRow>): View[] {
  const { lisStatus: _, flagType: __, sort: ___, order: ____, ...filters } = query as Input<typeof supplementApi.list>
  const { data: counts, isPlaceholderData: isFormer } = useCall(supplementApi.count, filters, { keepPrevious: true })
  const of = (...statuses: string[]) =>
    counts && {
      count: counts.filter(({ lisStatus }) => statuses.includes(lisStatus)).reduce((sum, { count }) => sum + count, 0),
      isFormer,
    }
  const view = (title: string, filters: Record<string, string>, ...statuses: string[]): View => ({
    title,
    filters,
    ...of(...statuses),
  })
  return [
    view(
      '全部',
      {},
      supplementStatus.draft,
      supplementStatus.inReview,
      supplementStatus.passed,
      supplementStatus.refused,
      supplementStatus.withdrawn,
      supplementStatus.inNotice,
      supplementStatus.credited,
    ),
    view('草稿', { lisStatus: supplementStatus.draft }, supplementStatus.draft),
    view('审批中', { lisStatus: supplementStatus.inReview }, supplementStatus.inReview),
    view('被驳回', { lisStatus: supplementStatus.refused }, supplementStatus.refused),
    view('待公示', { flagType: supplementTab.awaitingNotice }, supplementStatus.passed),
    view('公示中', { flagType: supplementTab.inNotice }, supplementStatus.inNotice),
    view('已公示', { flagType: supplementTab.credited }, supplementStatus.credited),
    view('已删除', { flagType: supplementTab.deleted }, supplementStatus.deleted),
  ]
}

const imports = {
  supplement: { title: '批量导入补录', hint: '各类补录均可；导入后为草稿，请在列表中勾选并提交审批。' },
  supplementAward: {
    title: '批量导入获奖补录',
    hint: '奖项从学校的奖励模板中选择；导入后为草稿，请在列表中勾选并提交审批。',
  },
} as const

/** Records of experiences outside the system, and what may be done to each now. */
export function SupplementListPage() {
  const list = useList(supplementApi.list)
  const { acts, batch, dialogs } = useSupplementActions('list')
  const views = useViews(list)
  const { tree } = useCurriculumTree({ lsType: curriculumType.supplements })
  const [importing, setImporting] = useState<keyof typeof imports>()
  const { count: toPublicise, isFormer } = views[4]!
  return (
    <>
      <ListPage
        title="补录课程"
        facts={
          <>
            {toPublicise ? <span className={formerClass(isFormer)}>{figure(toPublicise)} 条待公示，</span> : ''}
            <Link to={supplementPaths.publicList}>公示名单</Link>
          </>
        }
        list={list}
        rowKey="lisId"
        keepsViews
        views={views}
        nameOf={({ lisName, suiName }) => `${suiName} · ${lisName}`}
        filters={
          <>
            <TextFilter name="lisName" label="补录名称" />
            <TextFilter name="suiName" label="姓名" />
            <TextFilter name="suiNumber" label="学号" />
            <DictionaryFilter name="lisType" label="类型" type="sup_type" />
          </>
        }
        moreFilters={{
          names: [
            'lisAward',
            'lsId',
            'lisLevel',
            'collegeId',
            'suiGrade',
            ['obtainStart', 'obtainEnd'],
            'certNo',
            'source',
            'mySup',
          ],
          filters: (
            <>
              <TextFilter name="lisAward" label="奖项" />
              <CascadeFilter name="lsId" label="模块" tree={tree} />
              <SelectFilter name="lisLevel" label="级别" options={useLevelChoices()} />
              <SelectFilter name="collegeId" label="学院" options={useCollegeChoices()} />
              <SelectFilter name="suiGrade" label="年级" options={useGradeChoices()} />
              <DateRangeFilter names={['obtainStart', 'obtainEnd']} label="获得日期" />
              <TextFilter name="certNo" label="证书编号" />
              <DictionaryFilter name="source" label="来源" type="sup_source" />
              <SwitchFilter name="mySup" label="我录入的" />
            </>
          ),
        }}
        tools={
          <>
            <MoreTools
              tools={[
                { to: supplementApi.save, label: '批量导入补录', onClick: () => setImporting('supplement') },
                { to: supplementApi.save, label: '批量导入获奖补录', onClick: () => setImporting('supplementAward') },
                {
                  to: supplementApi.exportTemplate,
                  label: '下载补录模板',
                  onClick: () => void download(supplementApi.exportTemplate, {}).catch(() => undefined),
                },
                {
                  to: supplementApi.exportATemplate,
                  label: '下载获奖补录模板',
                  onClick: () => void download(supplementApi.exportATemplate, {}).catch(() => undefined),
                },
              ]}
            />
            <ExportButton to={supplementApi.exportList} list={list} />
            <ActionButton to={supplementApi.save} href={supplementPaths.add} icon={<PlusOutlined />} primary>
              新增补录
            </ActionButton>
          </>
        }
        columns={columns}
        rowActions={acts}
        batchActions={batch}
        empty={{
          text: '暂无补录',
          hint: '竞赛、证书、校外志愿等系统外的经历可代学生录入，审批并公示后记入学时。',
          next: (
            <ActionButton to={supplementApi.save} href={supplementPaths.add}>
              新增补录
            </ActionButton>
          ),
        }}
      />
      {dialogs}
      {importing && (
        <ImportWizard
          key={importing}
          api={importApi}
          kind={importing}
          {...imports[importing]}
          onClose={() => setImporting(undefined)}
        />
      )}
    </>
  )
}
