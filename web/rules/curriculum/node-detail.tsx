import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Call } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { curriculumApi, type CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { usesText, type CurriculumUses } from '../../../contract/rules/curriculum/curriculum.schema.ts'
import { opensOn, windowOfMonths, windowText } from '../../../contract/rules/curriculum/supplement-window.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { starRuleText } from '../../../contract/outcomes/transcripts/stars.ts'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { RowAction } from '../../core/action/action.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { RecordActions } from '../../core/action/record-actions.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { IconAction } from '../../core/parts/row-editor.tsx'
import { DictionaryChip, enableTones, StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { useRules } from '../../shared/school/rules.ts'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'
import { figure } from '../../core/service/figure.ts'
import { NodeIcon } from './module-icon.tsx'
import { find, stepOf, type Place } from './tree.ts'

export type NodeRecord = CurriculumNode & { uses: CurriculumUses | undefined }

interface NodeDetailProps {
  node: CurriculumNode
  tree: readonly CurriculumNode[]
  acts: readonly RowAction<NodeRecord>[]
  canMove: boolean
  onMove: (node: CurriculumNode, place: Place) => void
}

/** Everything a node is set to, what hangs on it, and what may be done with it. */
export function NodeDetail({ node, tree, acts, canMove, onMove }: NodeDetailProps) {
  const { data } = useCall(curriculumApi.getEdit, { lsId: node.lsId })
  const { data: levels = [] } = useCall(curriculumApi.levels, {}, { staleTime: 300_000 })
  const path = node.lsPath.map((lsId) => find(tree, lsId)?.lsName ?? '')
  const record: NodeRecord = { ...node, uses: data?.uses }
  const step = (by: -1 | 1, label: string, icon: ReactNode) => {
    const place = stepOf(tree, node, by)
    return (
      <IconAction
        label={`${label}${node.lsName}`}
        icon={icon}
        disabled={!place}
        onClick={() => place && onMove(node, place)}
      />
    )
  }
  const levelNames = node.allowLevels.map((id) => levels.find(({ llId }) => llId === id)?.llName ?? id).join('、')
  return (
    <section className="node-detail" aria-label={`课程体系：${node.lsName}`}>
      <header>
        <div>
          <h2>
            <NodeIcon icon={node.lsIcon} color={node.lsColor} />
            {node.lsName}
            <DictionaryChip type="enable_status" value={node.enable} tones={enableTones} />
          </h2>
          {path.length > 1 && <p className="node-path">{path.join(' / ')}</p>}
        </div>
        <div className="node-acts">
          {canMove && node.can.includes('move') && (
            <span className="node-steps">
              {step(-1, '上移', <ArrowUpOutlined />)}
              {step(1, '下移', <ArrowDownOutlined />)}
            </span>
          )}
          <RecordActions record={record} actions={acts} name={({ lsName }) => lsName} />
        </div>
      </header>
      <Facts
        title="基本设置"
        items={[
          { label: '编码', value: node.lsCode },
          { label: '适用范围', value: labelOf('curriculum_type', node.lsType) },
          { label: '修读要求', value: node.required === yesNo.yes ? '必修' : '选修' },
          { label: '负责角色', value: node.ownerRoleName || '模块负责人（默认）' },
          { label: '毕业最低学时', value: node.minHours === '0' ? '不要求' : `${node.minHours} 学时` },
          { label: '累计上限', value: node.maxHours ? `${node.maxHours} 学时` : '不限' },
          { label: '每学期上限', value: node.termCap ? `${node.termCap} 学时` : '不限' },
          { label: '课程表单', value: node.lsFormScheme === 'industry' ? '行业课程表单' : '标准表单' },
          { label: '允许的级别', value: levelNames || '全部级别', isWide: true },
          ...(node.depth === 1
            ? [{ label: '星级标准', value: starRuleText(node.starRule) || '按学校信息中的星级设置', isWide: true }]
            : []),
        ]}
      />
      {node.lsType !== curriculumType.lessons && <Supplements node={node} tree={tree} />}
      <section className="facts">
        <h2>使用情况</h2>
        {data ? <Uses node={node} uses={data.uses} /> : <ReadSkeleton title={false} paragraph={{ rows: 2 }} />}
      </section>
    </section>
  )
}

/** When and how the node takes supplements: its own settings, or those of the nodes above. */
function Supplements({ node, tree }: { node: CurriculumNode; tree: readonly CurriculumNode[] }) {
  const above = node.lsPath.flatMap((lsId) => find(tree, lsId) ?? []).toReversed()
  const closed = above.find(({ allowSup }) => allowSup !== yesNo.yes)
  const timed = above.find(({ supWindow }) => supWindow !== null)
  const proved = above.find(({ supProofs }) => supProofs.length > 0)
  const noted = above.find(({ supNote }) => supNote !== '')
  const from = (source: CurriculumNode | undefined) =>
    source && source.lsId !== node.lsId ? `（同${quoted(source.lsName)}）` : ''
  const rules = useRules()
  const usual = rules && windowOfMonths(rules.supMonths)
  const opens = opensOn(timed?.supWindow ?? usual ?? null, dayjs().format('YYYY-MM-DD'))
  return (
    <Facts
      title="补录"
      items={
        closed
          ? [{ label: '补录', value: `不允许${from(closed)}`, isWide: true }]
          : [
              {
                label: '现在',
                value: node.isSupOpen ? (
                  <StatusChip tone="finished">开放中</StatusChip>
                ) : (
                  <>
                    <StatusChip tone="draft">未开放</StatusChip>
                    {opens && ` ${opens} 起开放`}
                  </>
                ),
              },
              {
                label: '开放时间',
                value: timed
                  ? windowText(timed.supWindow) + from(timed)
                  : usual && `${windowText(usual)}（学校统一规定）`,
              },
              {
                label: '须提交的证明',
                value: proved
                  ? proved.supProofs.map((one) => labelOf('sup_proof', one)).join('、') + from(proved)
                  : '不要求',
                isWide: true,
              },
              { label: '补录说明', value: noted ? noted.supNote + from(noted) : '', isWide: true },
            ]
      }
    />
  )
}

/** What hangs on the node, each leading to where it can be seen. */
function Uses({ node, uses }: { node: CurriculumNode; uses: CurriculumUses }) {
  if (!usesText(uses)) return <p className="node-unused">尚未使用，可以删除。</p>
  const may = usePermission()
  const items: [number, string, string?, Call?][] = [
    [uses.children, '个下级体系'],
    [uses.lessons, '门课程', `/courseManagement/CurriculumList?lsId=${node.lsId}`, lessonApi.view],
    [uses.supplements, '条补录记录'],
    [uses.rules, '条评价规则', `/basicConfig/EvaluationSystem?lsId=${node.lsId}`, evaluationApi.all],
    [uses.flows, '个审批流程', flowPaths.list, workflowApi.list],
    [uses.conversions, '条转换规则', '/basicConfig/Transformation', transformationApi.all],
    [uses.bases, '条预警基准值', '/StatisticsAdmin/ThresholdStatistics?tab=bases', thresholdApi.list],
    [uses.areas, '名成员的管理范围', '/personnelAdmin/memberAdmin', memberApi.list],
    [uses.gone, '条已删除的课程或补录'],
  ]
  return (
    <ul className="node-uses">
      {items
        .filter(([n]) => n > 0)
        .map(([n, unit, to, call]) => (
          <li key={unit}>
            {to && call && may(call) ? (
              <Link to={to}>
                <b>{figure(n)}</b> {unit}
              </Link>
            ) : (
              <>
                <b>{figure(n)}</b> {unit}
              </>
            )}
          </li>
        ))}
    </ul>
  )
}
