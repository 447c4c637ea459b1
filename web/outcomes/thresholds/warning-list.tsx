import BellOutlined from '@ant-design/icons/BellOutlined'
import ReloadOutlined from '@ant-design/icons/ReloadOutlined'
import { useState } from 'react'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { warnLevel as warnLevelCodes } from '../../../contract/core/codes/outcomes.ts'
import { thresholdApi, type WarningRow } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { warnTones } from '../../shared/people/warn-tones.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton, exportFile } from '../../core/action/export.tsx'
import { DictionaryFilter, SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { notify } from '../../core/service/notice.tsx'
import { allOfList, type AllOfList } from '../../core/service/background.ts'
import { useSend } from '../../core/service/use-call.ts'
import { usePreview } from '../../core/screen/use-address.ts'
import { useList } from '../../core/list/use-list.ts'
import { WarningStatistic } from './warning-statistic.tsx'
import { PromptDialog, type PromptOptions } from './prompt-dialog.tsx'
import { PartTabs } from './threshold-parts.tsx'
import { WarningDrawer } from './warning-drawer.tsx'
import { amountText, figure } from '../../core/service/figure.ts'

const action = actionOn<WarningRow>()

/** How many are warned and where; behind it the warned students, the worst first, with what can be done for them. */
export function WarningList() {
  const list = useList(thresholdApi.list)
  const [shown, setShown] = usePreview()
  const [prompted, setPrompted] = useState<PromptOptions>()
  const recalc = useSend(thresholdApi.recalc)

  const promptAll = (all: AllOfList, rows: readonly WarningRow[]) => {
    const { sort: _, order: __, ...query } = all.query
    setPrompted({
      ids: rows.map(({ suId }) => suId),
      all: { ...all, query },
    })
  }

  const columns: Column<WarningRow>[] = [
    {
      title: '姓名',
      dataIndex: 'suiName',
      width: 96,
      fixed: 'left',
      render: (name: string, { suId }) => (
        <button type="button" className="row-name" onClick={() => setShown(suId)} title={name}>
          {name}
        </button>
      ),
    },
    { title: '学号', dataIndex: 'suiNumber', width: 120, sorter: true },
    { title: '预警等级', dataIndex: 'warnLevel', width: 112, dict: 'warn_level', tones: warnTones },
    {
      title: '已有 / 应有',
      dataIndex: 'totalHave',
      width: 120,
      number: true,
      render: (have: string, { totalNeed }) => (
        <>
          <b>{have}</b> / {totalNeed === '0' ? '—' : totalNeed}
        </>
      ),
    },
    { title: '还差', dataIndex: 'totalGap', width: 80, number: true, sorter: true },
    { title: '毕业时缺口', dataIndex: 'finalGap', width: 112, number: true, sorter: true },
    {
      title: '缺口最大',
      dataIndex: 'gaps',
      render: (_, { gaps, zeroTerm }) =>
        [
          ...gaps
            .filter(({ key, gap }) => key !== 'total' && gap !== '0')
            .slice(0, 3)
            .map(({ name, gap }) => `${name} ${amountText(gap)}`),
          ...(zeroTerm ? ['上学期零学时'] : []),
        ].join('，'),
    },
    { title: '班级', dataIndex: 'className', width: 148 },
    {
      title: '最近提醒',
      dataIndex: 'lastPromptTime',
      width: 112,
      sorter: true,
      render: (time: string | null, { promptCount }) =>
        time ? `${time.slice(5, 10)}（${figure(promptCount)} 次）` : '',
    },
    {
      title: '帮扶人',
      dataIndex: 'helperName',
      width: 96,
      render: (name: string, { helpCount }) => (helpCount > 0 ? `${name}（${figure(helpCount)}）` : ''),
    },
    { title: '学院', dataIndex: 'collegeName', width: 168, hiddenAtFirst: true },
    { title: '年级', dataIndex: 'suiGrade', width: 80, sorter: true, hiddenAtFirst: true },
    { title: '进入该等级', dataIndex: 'levelSince', width: 168, hiddenAtFirst: true },
  ]
  const view = action.open({ label: '查看', call: thresholdApi.detail, onOpen: ([row]) => setShown(row!.suId) })
  const prompt = action.open({
    label: '提醒',
    call: thresholdApi.prompt,
    fits: ({ can }) => can.includes('prompt'),
    onOpen: (rows) =>
      setPrompted({
        ids: rows.map(({ suId }) => suId),
        whose: rows.length === 1 ? rows[0]!.suiName : `所选的 ${rows.length} 名学生`,
      }),
    onAll: { call: thresholdApi.prompt, open: promptAll },
  })
  const help = action.open({
    label: '生成帮扶名单',
    call: thresholdApi.exportHelpList,
    fits: ({ warnLevel }) => warnLevel !== warnLevelCodes.normal,
    onOpen: (rows) => void exportFile(thresholdApi.exportHelpList, { ids: rows.map(({ suId }) => suId) }),
    onFilter: ({ query, total }) =>
      void exportFile(thresholdApi.exportHelpList, query, { rows: { total, isCapped: false } }),
  })
  return (
    <>
      <WarningStatistic
        list={list}
        tabs={<PartTabs />}
        tools={
          <ActionButton
            to={thresholdApi.recalc}
            icon={<ReloadOutlined />}
            onClick={() =>
              recalc
                .send({})
                .then(() => notify('success', '已开始重新计算，稍后刷新查看'))
                .catch(() => undefined)
            }
          >
            重新计算
          </ActionButton>
        }
        exports={
          <>
            <ExportButton to={thresholdApi.exportList} list={list}>
              导出名单
            </ExportButton>
            <ExportButton to={thresholdApi.exportHelpList} list={list}>
              生成帮扶名单
            </ExportButton>
            <ActionButton
              to={thresholdApi.prompt}
              primary
              icon={<BellOutlined />}
              disabled={list.total === 0 || list.isFormer}
              onClick={() =>
                promptAll(allOfList({ list: thresholdApi.list, query: list.query, total: list.total }), list.rows)
              }
            >
              提醒全部
            </ActionButton>
          </>
        }
        detailFilters={
          <>
            <TextFilter name="search" label="姓名或学号" />
            <DictionaryFilter name="warnLevel" type="warn_level" label="预警等级" />
            <SelectFilter
              name="finalShort"
              label="预计毕业时"
              options={[
                { value: yesNo.yes, label: '学时不足' },
                { value: yesNo.no, label: '可达到要求' },
              ]}
            />
            <SelectFilter
              name="all"
              label="范围"
              placeholder="仅预警学生"
              options={[{ value: yesNo.yes, label: '包括正常的学生' }]}
            />
          </>
        }
        details={
          <ListTable
            name="warnings"
            list={list}
            rowKey="suId"
            keepsViews
            columns={columns}
            rowActions={[view, prompt]}
            batchActions={[prompt, help]}
            empty={{
              text: '没有预警的学生',
              hint: '可在“基准值”中查看各年级的要求；范围选“包括正常的学生”可看到所有学生。',
            }}
          />
        }
      />
      {shown && (
        <WarningDrawer
          suId={shown}
          onClose={() => setShown(undefined)}
          onPrompt={(row) => setPrompted({ ids: [row.suId], whose: row.suiName })}
        />
      )}
      {prompted && <PromptDialog {...prompted} onClose={() => setPrompted(undefined)} />}
    </>
  )
}
