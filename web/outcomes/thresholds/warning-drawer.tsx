import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import { Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { helpWay, warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { thresholdApi, type HelpRow, type WarningRow } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { warnTones } from '../../shared/people/warn-tones.ts'
import { actionOn } from '../../core/action/action.tsx'
import { startAction } from '../../core/action/action-dialog.tsx'
import { DateField } from '../../core/form/date-fields.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { AreaField, DictionaryField, TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { DictionaryChip, StatusChip } from '../../core/parts/status-chip.tsx'
import { Timeline } from '../../core/parts/timeline.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { detailPath } from '../../shared/transcripts/transcript-paths.ts'
import { termText } from './threshold-parts.tsx'
import { amountText } from '../../core/service/figure.ts'

const remove = actionOn<HelpRow>().remove({
  call: thresholdApi.delHelp,
  unit: '条记录',
  fits: ({ can }) => can.includes('edit'),
  input: (rows) => ({ ids: rows.map(({ thId }) => thId) }),
})

interface DrawerProps {
  suId: string
  onClose: () => void
  onPrompt: (row: WarningRow) => void
}

/** One student: what is missing and what it will be, open courses that would help, what was said and what was done. */
export function WarningDrawer({ suId, onClose, onPrompt }: DrawerProps) {
  const [isOpen, setOpen] = useState(true)
  const [edited, setEdited] = useState<Partial<HelpRow>>()
  const isPhone = useIsPhone()
  const { data, ...reading } = useCall(thresholdApi.detail, { suId })
  const warning = data?.warning
  return (
    <Drawer
      open={isOpen}
      size={isPhone ? '100%' : 640}
      title={
        warning ? (
          <>
            {warning.suiName}
            <small className="drawer-sub">
              {warning.suiNumber} · {warning.className}
            </small>
          </>
        ) : (
          '预警详情'
        )
      }
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => open || onClose()}
      extra={
        warning?.can.includes('prompt') && (
          <LockButton type="primary" authority-type={thresholdApi.prompt.permit} onClick={() => onPrompt(warning)}>
            提醒
          </LockButton>
        )
      }
    >
      {!data || !warning ? (
        <ReadSkeleton reading={reading} />
      ) : (
        <div className="warning-body">
          <p className="warning-head">
            <DictionaryChip type="warn_level" value={warning.warnLevel} tones={warnTones} /> 总学时 {warning.totalHave}
            ，应有 {warning.totalNeed}，按目前速度毕业时还差 {warning.finalGap}。
            <Link to={detailPath(suId)}>查看成绩单</Link>
          </p>
          <section>
            <h3>缺口</h3>
            {warning.gaps.length === 0 && !warning.zeroTerm ? (
              <EmptyState text="目前没有缺口" />
            ) : (
              <table className="gap-table">
                <thead>
                  <tr>
                    <th scope="col">指标</th>
                    <th scope="col">检查点</th>
                    <th scope="col" className="figures">
                      要求
                    </th>
                    <th scope="col" className="figures">
                      已有
                    </th>
                    <th scope="col" className="figures">
                      还差
                    </th>
                    <th scope="col" className="figures">
                      预计
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {warning.gaps.map(({ key, name, level, checkpointTerm, required, have, gap, forecast }) => (
                    <tr key={key}>
                      <th scope="row">
                        {name}{' '}
                        {level !== warnLevel.normal && (
                          <DictionaryChip type="warn_level" value={level} tones={warnTones} />
                        )}
                      </th>
                      <td>{termText(checkpointTerm)}</td>
                      <td className="figures">{required}</td>
                      <td className="figures">{have}</td>
                      <td className="figures">
                        <b>{amountText(gap)}</b>
                      </td>
                      <td className="figures">{forecast}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {warning.zeroTerm && <p>上一学期没有获得任何学时。</p>}
          </section>
          <section>
            <h3>推荐活动</h3>
            {data.suggestions.length === 0 ? (
              <p className="nothing">目前没有可报名的相应活动。</p>
            ) : (
              <ul className="suggestions">
                {data.suggestions.map(({ liId, liName, moduleName, hours, applyEnd, startTime, placeText, left }) => (
                  <li key={liId}>
                    <b>{liName}</b>
                    <span>
                      {moduleName} {amountText(hours)} 学时
                    </span>
                    <small>
                      <span>{startTime.slice(0, 16)}</span>
                      {placeText && ` · ${placeText}`} · <span>余 {left} 个名额</span>
                      {applyEnd && ' · '}
                      {applyEnd && <span>{applyEnd.slice(0, 16)} 截止报名</span>}
                    </small>
                  </li>
                ))}
              </ul>
            )}
          </section>
          <section>
            <div className="record-tools">
              <h3>帮扶记录</h3>
              {warning.can.includes('help') && (
                <LockButton size="small" authority-type={thresholdApi.saveHelp.permit} onClick={() => setEdited({})}>
                  新增记录
                </LockButton>
              )}
            </div>
            {data.helps.length === 0 ? (
              <p className="nothing">暂无帮扶记录</p>
            ) : (
              <ul className="suggestions">
                {data.helps.map((help) => (
                  <li key={help.thId}>
                    <b>
                      {help.helpDate} {labelOf('help_way', help.helpWay)}，{help.helperName}
                    </b>
                    {help.can.includes('edit') && (
                      <span>
                        <LockButton
                          type="text"
                          size="small"
                          authority-type={thresholdApi.saveHelp.permit}
                          icon={<EditOutlined />}
                          aria-label={`编辑 ${help.helpDate} 的记录`}
                          onClick={() => setEdited(help)}
                        />
                        <LockButton
                          type="text"
                          size="small"
                          danger
                          authority-type={thresholdApi.delHelp.permit}
                          icon={<DeleteOutlined />}
                          aria-label={`删除 ${help.helpDate} 的记录`}
                          onClick={() => startAction(remove, [help], ({ helpDate }) => `${helpDate} 的帮扶记录`)}
                        />
                      </span>
                    )}
                    <small>{help.helpContent}</small>
                  </li>
                ))}
              </ul>
            )}
          </section>
          <section>
            <h3>提醒记录</h3>
            {data.prompts.length === 0 ? (
              <p className="nothing">还没有提醒过。</p>
            ) : (
              <Timeline
                entries={data.prompts.map(({ tpId, promptTime, createName, content, isRead }) => ({
                  key: tpId,
                  title: (
                    <>
                      {promptTime.slice(0, 16)}{' '}
                      <StatusChip tone={isRead ? 'finished' : 'waiting'}>{isRead ? '已读' : '未读'}</StatusChip>
                    </>
                  ),
                  note: createName,
                  text: content,
                }))}
              />
            )}
          </section>
        </div>
      )}
      {edited && (
        <DialogForm
          title={edited.thId ? '编辑帮扶记录' : '新增帮扶记录'}
          call={thresholdApi.saveHelp}
          initial={edited.thId ? edited : { helpWay: helpWay.talk }}
          input={({ helpDate, helpWay, helperName, helpContent }) =>
            ({
              suId,
              ...(edited.thId && { thId: edited.thId, version: edited.version }),
              helpDate,
              helpWay,
              helperName,
              helpContent,
            }) as never
          }
          onClose={() => setEdited(undefined)}
        >
          <DateField name="helpDate" required />
          <DictionaryField name="helpWay" type="help_way" required />
          <TextField name="helperName" required />
          <AreaField name="helpContent" required placeholder="例如：谈话了解原因，约定每周参加一次志愿活动" />
        </DialogForm>
      )}
    </Drawer>
  )
}
