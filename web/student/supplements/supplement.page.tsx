import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { ownSupplementApi } from '../../../contract/student/supplements.calls.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { Answered, Card, Chip, Facts, Steps, type Step } from '../parts/pieces.tsx'
import { useConfirm } from '../parts/confirm.tsx'
import { Page } from '../parts/page.tsx'
import { StoredPhoto } from '../parts/photos.tsx'
import { supplementTone } from '../parts/supplement-words.ts'
import { approvalSteps } from './approval-steps.ts'

/** One record: how far it is and what its reviewers wrote, what it says, and what can be done about it now. */
export function SupplementPage() {
  const { lisId = '' } = useParams()
  /** What is gone is not asked for again. */
  const [isGone, setGone] = useState(false)
  const record = useCall(ownSupplementApi.detail, { lisId }, { enabled: !isGone })
  const withdraw = useSend(ownSupplementApi.withdraw)
  const remove = useSend(ownSupplementApi.remove)
  const { ask, question } = useConfirm()
  const navigate = useNavigate()
  const can = new Set(record.data?.can)
  const act = can.has('edit') || can.has('withdraw') || can.has('del')
  return (
    <Page
      title="补录详情"
      foot={
        question ??
        (act && (
          <>
            {can.has('del') && (
              <button
                type="button"
                className="s-button"
                onClick={() =>
                  ask({
                    name: '删除',
                    text: '删除这条补录？填写的内容和证明材料都会删除，不能恢复。',
                    run: async () => {
                      setGone(true)
                      await remove.send({ lisId }).catch((error: unknown) => {
                        setGone(false)
                        throw error
                      })
                      notify('success', '已删除')
                      await navigate('/supplements', { replace: true })
                    },
                  })
                }
              >
                删除
              </button>
            )}
            {can.has('withdraw') && (
              <button
                type="button"
                className="s-button"
                disabled={withdraw.isSending}
                onClick={() =>
                  void withdraw.send({ lisId }).then(
                    () => notify('success', '已撤回，可以修改后重新提交'),
                    () => undefined,
                  )
                }
              >
                撤回
              </button>
            )}
            {can.has('edit') && (
              <Link className="s-button s-primary" to={`/supplements/${lisId}/edit`}>
                修改并提交
              </Link>
            )}
          </>
        ))
      }
    >
      <Answered of={record}>
        {(sup) => (
          <>
            <Card
              title={sup.lisName}
              note={<Chip tone={supplementTone(sup.lisStatus)}>{labelOf('sup_status', sup.lisStatus)}</Chip>}
            >
              {sup.refuseReason && <p role="status">驳回原因：{sup.refuseReason}</p>}
              <Steps of={stepsOf(sup)} />
            </Card>
            {sup.flows.map((flow) => (
              <Card key={flow.insId} title="审批过程" note={`提交于 ${flow.startTime.slice(0, 16)}`}>
                <Steps of={approvalSteps(flow)} />
                {flow.endReason && <p>{`${flow.endName}终止了审批：${flow.endReason}`}</p>}
              </Card>
            ))}
            <Card title="学时">
              <Facts of={sup.reckoning.map(({ clType, value, text }) => [`${clType} ${value}`, text] as const)} />
            </Card>
            <Card title="内容">
              <Facts
                of={[
                  ['模块', sup.lsName],
                  ['类型', labelOf('sup_type', sup.lisType)],
                  ['级别', sup.lisLevelName],
                  ['奖项', sup.lisAward],
                  ['主办或发证单位', sup.lisOrg],
                  ['获得日期', sup.lisObtainDate],
                  ['证书编号', sup.certNo],
                  ['查询网址', sup.certUrl],
                  ['团队', sup.lisTeamSize && `${sup.lisRank} / ${sup.lisTeamSize}`],
                  ['说明', sup.lisDesc],
                ]}
              />
            </Card>
            {sup.credential && (
              <Card title="电子凭证" note={`核验于 ${sup.credential.checkTime.slice(0, 16)}`}>
                <Facts
                  of={[
                    ['名称', sup.credential.title],
                    ['签发方', sup.credential.issuerName || sup.credential.issuer],
                  ]}
                />
                <ul className="s-plain">
                  {sup.credential.lines.map(({ level, text }) => (
                    <li key={text}>
                      <span>{text}</span>
                      {level === 'warning' && <Chip tone="refused">注意</Chip>}
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            {sup.proofs.length > 0 && (
              <Card title="证明材料">
                <div className="s-photos">
                  {sup.proofs.map((proof) => (
                    <div key={proof.id} className="s-photo">
                      <StoredPhoto proof={proof} view={ownSupplementApi.proof} />
                    </div>
                  ))}
                </div>
              </Card>
            )}
          </>
        )}
      </Answered>
    </Page>
  )
}

/** The gates of a record as steps. The marked one is where it stands, which is a failure only where it was refused. */
function stepsOf({ gates, lisStatus }: SupplementDetail): Step[] {
  const standing = lisStatus === supplementStatus.refused ? 'failed' : 'now'
  return gates.map(({ name, passed, failed, note }) => ({
    name,
    note,
    state: failed ? standing : passed ? 'passed' : 'ahead',
  }))
}
