import dayjs from 'dayjs'
import { useMemo } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import { DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { dayFormat } from '../../core/service/date-range.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { actOnAll, useAllOfList, type AllOfList } from '../../core/service/background.ts'
import { useCall } from '../../core/service/use-call.ts'
import { useRules } from '../../shared/school/rules.ts'
import { figure } from '../../core/service/figure.ts'

/** The day from which results are publicised: today in a month of results, else the first of the next such month. */
function firstResultDay(months: readonly number[], today: dayjs.Dayjs): dayjs.Dayjs {
  if (months.length === 0) return today
  for (let ahead = 0; ahead < 12; ahead++) {
    const month = today.add(ahead, 'month')
    if (months.includes(month.month() + 1)) return ahead === 0 ? today : month.startOf('month')
  }
  return today
}

/**
 * Puts one record or several into public notice, or sets the period anew: from when until when, in working days;
 * proposes the school's usual period.
 */
export function PublicityDialog({
  sups,
  all: asked,
  onClose,
}: {
  sups: readonly SupplementRow[]
  /** Where all records are meant that fit the list's filters; `sups` are then those of the page. */
  all?: AllOfList
  onClose: () => void
}) {
  const rules = useRules()
  const all = useAllOfList(asked)
  const [only] = sups.length === 1 && !all ? sups : []
  const running = only?.lisStatus === supplementStatus.inNotice ? only : undefined
  const from = running?.lisPublictySdate?.slice(0, 10) ?? dayjs().format(dayFormat)
  const { data: end } = useCall(
    schoolApi.workday,
    { from, days: Math.max(rules?.publictyDefault ?? 1, rules?.publictyMin ?? 1) },
    { enabled: Boolean(rules) },
  )
  const initial = useMemo(
    () =>
      end && {
        lisPublictySdate: `${from} 00:00:00`,
        lisPublictyEdate: running?.lisPublictyEdate ?? `${end.to} 23:59:59`,
      },
    [end, from, running],
  )
  const resultDay = rules && firstResultDay(rules.supResultMonths, dayjs())
  const isEarly = resultDay && resultDay.isAfter(dayjs(), 'day')
  const shared = {
    isLoading: !rules || !initial,
    initial,
    submitText: running ? '保存' : '开始公示',
    doneText: running ? '公示时间已修改' : sups.length > 1 ? `已公示 ${sups.length} 条` : '已开始公示',
    onClose,
  }
  const field = (
    <DateTimeRangeField
      names={['lisPublictySdate', 'lisPublictyEdate']}
      label="公示时间"
      by="day"
      edges
      help={
        <>
          {rules &&
            `${rules.publictyMin === rules.publictyMax ? rules.publictyMin : `${rules.publictyMin} 至 ${rules.publictyMax}`} 个工作日，已扣除节假日；截止日 23:59:59 结束，期满自动入账。`}
          {isEarly && ` 学校的补录公布月份为 ${rules.supResultMonths.join('、')} 月。`}
        </>
      }
    />
  )
  const dates = (values: Record<string, unknown>) => ({
    lisPublictySdate: values['lisPublictySdate'] as string,
    lisPublictyEdate: values['lisPublictyEdate'] as string,
  })
  if (only)
    return (
      <DialogForm
        title={`${running ? '修改公示时间' : '公示'}${quoted(only.lisName)}`}
        call={supplementApi.publicise}
        input={(values) => ({ lisId: only.lisId, version: only.version, ...dates(values) })}
        {...shared}
      >
        {field}
      </DialogForm>
    )
  return (
    <DialogForm
      title={all ? `公示全部 ${figure(all.total)} 条补录` : `公示所选 ${sups.length} 条补录`}
      call={supplementApi.batchEditPublicty}
      input={(values) => ({ ids: sups.map(({ lisId }) => lisId), ...dates(values) })}
      {...shared}
      {...(all && {
        sendAs: (input: Record<string, unknown>) => actOnAll(all, supplementApi.batchEditPublicty, '公示', input),
        doneText: '',
      })}
    >
      {all && (
        <p className="form-hint dialog-text">
          符合当前筛选条件的全部补录都将公示，在后台逐条处理，可随时取消；不在“待公示”的不处理，原因列在可下载的结果中。公示后可逐条或按筛选条件取消公示。
        </p>
      )}
      {field}
    </DialogForm>
  )
}
