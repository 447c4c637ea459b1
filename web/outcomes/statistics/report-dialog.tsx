import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import { Form } from 'antd'
import { useState } from 'react'
import dayjs from 'dayjs'
import { reportApi, reportFormats, reportSpans } from '../../../contract/outcomes/reports/reports.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { DateField } from '../../core/form/date-fields.tsx'
import { AreaField, SelectField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { CollegeField } from '../../shared/organisation/places.tsx'
import { choicesOf } from '../../core/parts/multi-select.tsx'

const choices = (words: Record<string, string>) => choicesOf(Object.entries(words))
/** The last week that is over. */
const lastWeek = (): string => dayjs().subtract(7, 'day').format('YYYY-MM-DD')

/** 周报/月报, for a statistic's tools. Not there for those who lack the right. */
export function ReportButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionButton to={reportApi.export} icon={<FileTextOutlined />} onClick={() => setOpen(true)}>
        周报月报
      </ActionButton>
      {isOpen && <ReportDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function ReportDialog({ onClose }: { onClose: () => void }) {
  return (
    <DialogForm
      title="生成周报或月报"
      call={reportApi.export}
      initial={{ span: 'week', day: lastWeek(), format: 'docx' }}
      submitText="生成"
      doneText="报告已生成"
      width={480}
      onClose={onClose}
    >
      <p className="dialog-text">
        汇总发布、补录、学时、预警等统计，与上一周期及上年同期比较，附图表与统计口径；只含您有权查看的数据。
      </p>
      <SelectField name="span" open options={choices(reportSpans)} />
      <SelectField name="format" open options={choices(reportFormats)} />
      <DayOf />
      <CollegeField name="collegeId" placeholder="全部" />
      <AreaField name="reason" rows={1} label="用途" placeholder="选填，记入操作日志" />
    </DialogForm>
  )
}

/** Which week or month is meant, in words under the day. */
function DayOf() {
  const [span, day] = [Form.useWatch('span') as string | undefined, Form.useWatch('day') as string | undefined]
  const from =
    day && (span === 'month' ? dayjs(day).startOf('month') : dayjs(day).subtract((dayjs(day).day() + 6) % 7, 'day'))
  const to = from && (span === 'month' ? from.endOf('month') : from.add(6, 'day'))
  return (
    <DateField
      name="day"
      label="所在日期"
      help={from && to ? `报告期：${from.format('YYYY-MM-DD')} 至 ${to.format('YYYY-MM-DD')}` : '选择报告期内的任一天'}
    />
  )
}
