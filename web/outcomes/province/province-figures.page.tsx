import { Alert } from 'antd'
import { provinceApi, smallGroup } from '../../../contract/outcomes/province/province.calls.ts'
import { provinceScreens } from '../../../contract/outcomes/province/province-tables.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { PageHead } from '../../core/screen/page-head.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { StatCards } from '../../shared/dashboard/stat-cards.tsx'
import { openingYear, roundingNote } from './opening-year.ts'

const said = {
  told: '本校参加全省统计：管理整套系统的机构能看到下列数字。',
  few: `本校在读学生不足 ${smallGroup} 人，不提供任何数字。`,
  withheld: '本校不参加全省统计：下列数字不提供。在“规则设置 → 统计 → 参加全省统计”中开启后才提供。',
} as const

const noChange = { prev: null, changeRate: null, lastYear: null, lastYearRate: null }

/** 提供给全省的数字: what whoever looks after the installation sees of the own school, number by number. */
export function ProvinceFiguresPage() {
  const period = openingYear()
  const { data } = useCall(provinceApi.own, period)
  return (
    <div className="page statistics">
      <PageHead title="提供给全省的数字" facts={`${period.startTime.slice(0, 7)} 至 ${period.endTime.slice(0, 7)}`} />
      {data && (
        <Alert
          type={data.state === 'told' ? 'info' : 'warning'}
          showIcon
          title={`${said[data.state]}只有汇总数字，不含姓名、名单；不足 ${smallGroup} 人的数字显示为${quoted(`<${smallGroup}`)}，也不提供。${roundingNote}。年级、类型、月份等分组按同样的规则提供。${
            data.isSeen ? '' : '目前没有指定可查看全省统计的账号。'
          }`}
        />
      )}
      {!data && <StatCards answer={undefined} leads={{}} />}
      {data?.screens.map(({ screen, kinds, figures, small }) => (
        <section key={screen} aria-label={provinceScreens.find(([key]) => key === screen)![1]}>
          <h2 className="province-screen">{provinceScreens.find(([key]) => key === screen)![1]}</h2>
          <StatCards
            answer={{ cards: kinds.map((kind) => ({ ...kind, ...noChange, value: figures[kind.key] ?? null })) }}
            leads={{}}
            lacking={(key) => (small.includes(key) ? `<${smallGroup}` : '—')}
          />
        </section>
      ))}
    </div>
  )
}
