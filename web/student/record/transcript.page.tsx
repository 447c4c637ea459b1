import { useState } from 'react'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { download } from '../../core/service/api.ts'
import { refreshAll, useCall } from '../../core/service/use-call.ts'
import { Answered, Card, Chip, Facts } from '../parts/pieces.tsx'
import { SelectField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { ApplicationCard } from './application-card.tsx'
import { PaperRows } from './paper-rows.tsx'
import { amountText } from '../../../contract/core/figure.ts'

const languages = [
  { value: 'zh', label: '中文' },
  { value: 'en', label: '英文' },
]

/** The transcript as it stands now, what was issued of it, and the way to check it. */
export function TranscriptPage() {
  const [lang, setLang] = useState<'zh' | 'en'>('zh')
  const record = useCall(ownRecordApi.summary, { lang })
  const issues = useCall(ownRecordApi.issues, { current: 1, pageSize: 20 })
  const applications = useCall(ownRecordApi.applications, { current: 1, pageSize: 5 })
  const [isBusy, setBusy] = useState(false)
  async function fetched(work: Promise<unknown>) {
    setBusy(true)
    await work.then(refreshAll, () => undefined)
    setBusy(false)
  }
  return (
    <Page
      title="成绩单"
      foot={
        issues.data?.mayPrint && (
          <button
            type="button"
            className="s-button s-primary"
            disabled={isBusy}
            onClick={() => void fetched(download(ownRecordApi.print, { lang }))}
          >
            {isBusy ? '正在生成…' : '签发并下载 PDF'}
          </button>
        )
      }
    >
      <Answered of={record}>
        {({ student, summary, modules, serial, issueStand, verifyUrl, issueTime, notes }) => (
          <>
            <Card title={`${student.suiName}的第二课堂成绩单`}>
              <Facts
                of={[
                  ['学号', student.suiNumber],
                  ['学院', student.suiCollegeName],
                  ['班级', student.scClassName],
                  ['学时', `${amountText(summary.totalHours)} / ${amountText(summary.requiredHours)}`],
                  ['学分', summary.totalCredit],
                  ['积分', amountText(summary.totalPoints)],
                  ['等第', summary.grade],
                  ['统计至', summary.asOf.slice(0, 16)],
                  ['编号', serial],
                  ['签发时间', issueTime?.slice(0, 16)],
                ]}
              />
              {issueStand === 'changed' && <p>签发之后内容有变化，重新签发后编号会更新。</p>}
              {verifyUrl && (
                <p>
                  <a href={verifyUrl}>核验这份成绩单</a>
                </p>
              )}
              <p className="s-note">{notes[0]}</p>
            </Card>
            <PaperRows modules={modules} />
          </>
        )}
      </Answered>
      <Card title="语言">
        <SelectField
          label="成绩单语言"
          value={lang}
          onChange={(value) => setLang(value === 'en' ? 'en' : 'zh')}
          options={languages}
        />
      </Card>
      <ApplicationCard lang={lang} />
      <Answered of={issues} isEmpty={({ records }) => records.length === 0} empty="还没有签发过成绩单">
        {({ records }) => (
          <Card title="签发记录">
            <ul className="s-list">
              {records.map(({ tiId, serial, tiExtract, tiStatus, issueTime, revokeReason }) => (
                <li key={tiId}>
                  <div className="s-row">
                    <span className="s-row-text">
                      <strong>{tiExtract || '全部'}</strong>
                      <small>
                        {serial}，{issueTime.slice(0, 10)}
                        {revokeReason && `，撤销原因：${revokeReason}`}
                      </small>
                    </span>
                    {tiStatus !== issueStatus.valid && <Chip tone="draft">{labelIn(issueStatus, tiStatus)}</Chip>}
                  </div>
                  <div className="s-acts s-row-acts">
                    <a className="s-button" href={`/verify/${encodeURIComponent(serial)}`}>
                      核验链接
                    </a>
                    {tiStatus === issueStatus.valid && (
                      <>
                        <button
                          type="button"
                          className="s-button"
                          disabled={isBusy}
                          onClick={() => void fetched(download(ownRecordApi.credential, { tiId }))}
                        >
                          下载凭证
                        </button>
                        <button
                          type="button"
                          className="s-button"
                          disabled={isBusy}
                          title="CLR 2.0，可导入电子简历与其他平台"
                          onClick={() => void fetched(download(ownRecordApi.learnerRecord, { tiId }))}
                        >
                          学习档案
                        </button>
                      </>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Answered>
      {issues.data?.mayPrint === false && applications.data?.isOffered === false && (
        <p className="s-empty">学校未开放自助打印，需要纸质成绩单请到学院或第二课堂办公室办理。</p>
      )}
    </Page>
  )
}
