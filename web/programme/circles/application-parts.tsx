import { quoted } from '../../../contract/core/quotes.ts'
import { circleApplyApi, type CircleApplication } from '../../../contract/programme/circles/applications.calls.ts'
import { circleApplyType } from '../../../contract/core/codes/programme.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { AreaField } from '../../core/form/fields.tsx'
import { FileLink } from '../../core/parts/stored-file.tsx'
import { Differences } from '../../shared/differences/differences.tsx'
import { authTones, pairsOf } from '../../shared/circles/circle-parts.tsx'

const action = actionOn<CircleApplication>()
const unit = '份申请'
const decides = ({ can }: CircleApplication) => can.includes('decide')
const about = (word: string) => (rows: readonly CircleApplication[]) =>
  rows.length === 1
    ? `确认${word}圈子${quoted(rows[0]!.ciName)}的${labelOf('circle_apply_type', rows[0]!.caType)}申请？`
    : `确认${word}所选 ${rows.length} ${unit}？`

export const applicationActions = {
  pass: action({
    label: '通过',
    call: circleApplyApi.pass,
    unit,
    fits: decides,
    question: about('通过'),
    confirm: '通过后即时生效，并通知提交人与申请对象。',
    ask: <AreaField name="reason" rows={2} placeholder="选填" />,
    input: (rows, { reason }) => ({ ...pairsOf(rows), ...(reason ? { reason: reason as string } : {}) }),
  }),
  refuse: action({
    label: '驳回',
    call: circleApplyApi.refuse,
    unit,
    isDanger: true,
    fits: decides,
    question: about('驳回'),
    ask: <AreaField name="reason" rows={3} placeholder="不少于 5 个字，提交人会看到" />,
    input: (rows, { reason }) => ({ ...pairsOf(rows), reason: reason as string }),
  }),
  withdraw: action({
    label: '撤回',
    call: circleApplyApi.withdraw,
    fits: ({ can }) => can.includes('withdraw'),
    question: about('撤回'),
    confirm: '撤回后可以重新提交。',
    input: ([row]) => ({ caId: row!.caId }),
  }),
}

export const applicationColumns: Column<CircleApplication>[] = [
  { title: '申请类型', dataIndex: 'caType', width: 104, dict: 'circle_apply_type' },
  { title: '审核状态', dataIndex: 'ciAuthStatus', width: 100, dict: 'circle_auth_status', tones: authTones },
  { title: '申请对象', dataIndex: 'cpiPersonName', width: 100 },
  { title: '提交人', dataIndex: 'applyName', width: 100 },
  {
    title: '提交时间',
    dataIndex: 'applyTime',
    width: 152,
    sorter: true,
    render: (time: string) => <span className="figures">{time.slice(0, 16)}</span>,
  },
  { title: '审核人', dataIndex: 'auditName', width: 100, hiddenAtFirst: true },
  {
    title: '审核时间',
    dataIndex: 'auditTime',
    width: 152,
    hiddenAtFirst: true,
    render: (time: string | null) => time?.slice(0, 16) ?? <span className="nothing">—</span>,
  },
]

/** What an application says, unfolded under its row. */
export const ApplicationFacts = ({
  application: {
    applyReason,
    materials,
    crYear,
    crResult,
    crStar,
    leaderName,
    reason,
    collegeName,
    ccName,
    caType,
    differences,
  },
}: {
  application: CircleApplication
}) => (
  <Facts
    items={[
      { label: '圈子分类', value: ccName },
      { label: '挂靠学院', value: collegeName || '全校' },
      { label: '现任负责人', value: leaderName },
      ...(caType === circleApplyType.yearlyReview
        ? [
            { label: '年审', value: `${crYear} 年度，自评${labelOf('circle_review', crResult ?? '')}` },
            ...(crStar ? [{ label: '自评星级', value: labelOf('circle_star', crStar) }] : []),
          ]
        : []),
      { label: '申请说明', value: applyReason, isWide: true },
      ...(materials.length > 0
        ? [
            {
              label: '材料',
              isWide: true,
              value: (
                <>
                  {materials.map(({ id, name }) => (
                    <FileLink key={id} view={fileApi.view} id={id} name={name} />
                  ))}
                </>
              ),
            },
          ]
        : []),
      ...(differences.length > 0
        ? [
            {
              label: '与上次退回时相比',
              isWide: true,
              value: <Differences differences={differences} was="退回时" is="现为" />,
            },
          ]
        : []),
      ...(reason ? [{ label: '审核意见', value: reason, isWide: true }] : []),
    ]}
  />
)
