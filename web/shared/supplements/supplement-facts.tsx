import { Link } from 'react-router'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { FileList } from '../../core/parts/file-list.tsx'
import { Timeline, type TimelineEntry } from '../../core/parts/timeline.tsx'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { refreshAll } from '../../core/service/use-call.ts'
import { usePermission } from '../../core/service/rights.ts'
import { disputePaths } from '../disputes/dispute-paths.ts'
import { publicityText, SupplementHints } from './supplement-status.tsx'
import { figure } from '../../core/service/figure.ts'

const sources: Record<string, string> = { SUP: '入账', REVERSE: '冲正', ADJUST: '更正后入账' }

/** Everything a record was entered with. */
export function SupplementFacts({ sup }: { sup: SupplementDetail }) {
  return (
    <>
      {sup.lisStatus === supplementStatus.refused && sup.refuseReason && (
        <p className="lesson-reason" role="note">
          <b>驳回原因：</b>
          {sup.refuseReason}
        </p>
      )}
      <Facts
        items={[
          { label: '学生', value: `${sup.suiName}（${sup.suiNumber}）` },
          { label: '学院班级', value: [sup.collegeName, sup.className].filter(Boolean).join(' · ') },
          { label: '模块', value: sup.lsName },
          { label: '类型', value: labelOf('sup_type', sup.lisType) },
          { label: '级别', value: sup.lisLevelName },
          { label: '奖项', value: sup.lisAward },
          { label: '参与方式', value: labelOf('partake_mode', sup.lisPartakeMode) },
          { label: '团队', value: sup.lisTeamSize && `${sup.lisTeamSize} 人，第 ${sup.lisRank} 位` },
          { label: '主办或发证单位', value: sup.lisOrg },
          { label: '获得日期', value: sup.lisObtainDate },
          { label: '起止日期', value: sup.lisStartDate && `${sup.lisStartDate} 至 ${sup.lisEndDate ?? ''}` },
          { label: '证书编号', value: sup.certNo },
          {
            label: '查询网址',
            value: sup.certUrl && (
              <a href={sup.certUrl} target="_blank" rel="noreferrer noopener">
                {sup.certUrl}
              </a>
            ),
          },
          { label: '公示', value: publicityText(sup) },
          {
            label: '质疑',
            value: sup.questionCount > 0 && <QuestionCount sup={sup} />,
          },
          { label: '来源', value: labelOf('sup_source', sup.source) },
          { label: '录入', value: `${sup.createName} · ${sup.createTime.slice(0, 16)}` },
          { label: '说明', value: sup.lisDesc, isWide: true },
        ]}
      />
    </>
  )
}

/** How many questions there were about a record, and the way to them for who may see them. */
function QuestionCount({ sup: { lisId, questionCount } }: { sup: SupplementDetail }) {
  const mayList = usePermission()(disputeApi.list)
  const text = `${figure(questionCount)} 条`
  return mayList ? <Link to={disputePaths.people({ liId: null, lisId })}>{text}</Link> : text
}

/** The proofs of a record, looked at in place. */
export const SupplementProofs = ({ sup }: { sup: SupplementDetail }) => (
  <>
    {(sup.proofs.length > 0 || !sup.credential) && (
      <FileList
        view={supplementApi.proof}
        files={sup.proofs.map(({ id, name, kind }) => ({ id, name, note: kind === 'image' ? '图片' : '文件' }))}
        none="没有证明材料"
      />
    )}
    {sup.credential && <Credential lisId={sup.lisId} {...sup.credential} />}
  </>
)

/** What was found of the electronic credential of a record, and the button that looks again. */
function Credential({ lisId, lines, checkTime }: { lisId: string } & NonNullable<SupplementDetail['credential']>) {
  const recheck = async () => {
    await send(supplementApi.recheckCredential, { lisId }).then(
      () => notify('success', '已重新核验'),
      () => undefined,
    )
    await refreshAll()
  }
  return (
    <section className="facts">
      <h2>电子凭证</h2>
      <SupplementHints hints={lines.map((line) => ({ ...line, lisId: null }))} />
      <p>
        核验于 {checkTime.slice(0, 16)}{' '}
        <ActionButton to={supplementApi.recheckCredential} onClick={recheck}>
          重新核验
        </ActionButton>
      </p>
    </section>
  )
}

/** How each value comes about. */
export function CreditCalculation({ reckoning }: Pick<SupplementDetail, 'reckoning'>) {
  if (reckoning.length === 0) return <p className="nothing">按评价规则没有可计入的学时或学分</p>
  return (
    <ul className="trace-entries">
      {reckoning.map(({ clType, value, text }) => (
        <li key={clType}>
          <b>
            {value} {clType}
          </b>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}

const toEntry = ({ name, passed, failed, note }: SupplementDetail['gates'][number]): TimelineEntry => ({
  key: name,
  note,
  title: `${name}${failed ? '（进行到这里）' : passed ? '' : '（未到）'}`,
  tone: passed ? 'done' : failed ? (note.startsWith('驳回') ? 'refused' : 'now') : 'waiting',
})

/**
 * Where the hours of a record are: every gate up to the ledger, how the values come about, and what the ledger holds.
 */
export function SupplementCredit({ sup }: { sup: SupplementDetail }) {
  return (
    <>
      <Timeline title="学时去哪了" entries={sup.gates.map(toEntry)} />
      <section className="facts">
        <h2>{sup.ledger.length > 0 ? '计算说明' : '预计可获'}</h2>
        <CreditCalculation reckoning={sup.reckoning} />
      </section>
      <section className="facts">
        <h2>台账</h2>
        {sup.ledger.length === 0 ? (
          <p className="nothing">尚未入账；公示期满自动记入。</p>
        ) : (
          <table className="small-table">
            <thead>
              <tr>
                <th>时间</th>
                <th>分录</th>
                <th>内容</th>
                <th className="figures">数值</th>
                <th>说明</th>
              </tr>
            </thead>
            <tbody>
              {sup.ledger.map(({ clId, source, clType, value, text, grantedAt }) => (
                <tr key={clId}>
                  <td>{grantedAt.slice(0, 16)}</td>
                  <td>{sources[source] ?? source}</td>
                  <td>{clType}</td>
                  <td className="figures">{value}</td>
                  <td>{text}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  )
}
