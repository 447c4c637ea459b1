import { Link } from 'react-router'
import { printWords } from '../../contract/transcripts/words.ts'
import { labelOf } from '../core/dictionary.ts'
import { ModuleTable } from './module-table.tsx'
import { Radar } from './radar.tsx'
import { RecordTable } from './record-table.tsx'
import { verifyPath } from './transcript-paths.part.ts'
import type { TranscriptHeader, TranscriptRecord } from './use-transcript.ts'
import { YearTable } from './year-table.tsx'
import './transcripts.css'

/** A transcript as it is printed, on screen (DOMAIN 2.10). */
export function TranscriptSheet({ header, rows, ticked, onTick }: { header: TranscriptHeader; rows: readonly TranscriptRecord[]; ticked?: readonly string[]; onTick?: (recIds: string[]) => void }) {
  const { modules, ability, summary, conversions } = header
  const notes = [...header.notes, ...conversions.map(({ trName, explain }) => `${trName}：${explain}。`), printWords('zh').rules(header.asOf)]
  return (
    <article className="card sheet" aria-label={`${header.student.suiName}的第二课堂成绩单`}>
      <header className="sheet-head">
        <p>{header.schName}</p>
        <h2>第二课堂成绩单</h2>
        <small>{header.serial ? <>编号 <Link to={verifyPath(header.serial)} target="_blank" title="打开核验页">{header.serial}</Link>（{header.issueTime?.slice(0, 10)} 签发）</> : '以上内容尚未签发：导出 PDF 时生成编号与数字签名'}</small>
        {header.extract && <em>（{header.extract}）</em>}
      </header>
      <StudentBlock student={header.student} />
      <Summary summary={summary} conversions={conversions} asOf={header.asOf} />
      <div className={ability.length >= 3 ? 'sheet-columns' : ''}>
        <section>
          <h3>模块完成情况</h3>
          <ModuleTable modules={modules} />
          {header.years.length > 0 && <><h3>学年评定</h3><YearTable years={header.years} /></>}
        </section>
        {ability.length >= 3 && (
          <section>
            <h3>能力素质</h3>
            <Radar ability={ability} modelled={header.modelled} />
          </section>
        )}
      </div>
      <section>
        <h3>参与记录<small>{rows.length} 项</small></h3>
        <RecordTable header={header} rows={rows} ticked={ticked} onTick={onTick} />
      </section>
      <section className="sheet-notes">
        <h3>说明</h3>
        <ol>{notes.map((note) => <li key={note}>{note}</li>)}</ol>
      </section>
    </article>
  )
}

function StudentBlock({ student }: { student: TranscriptHeader['student'] }) {
  const pairs: [string, string][] = [
    ['姓名', student.suiName], ['学号', student.suiNumber], ['性别', labelOf('sex', student.suiSex)],
    ['学院', student.suiCollegeName], ['专业', student.majorName], ['班级', student.scClassName],
    ['年级', student.suiGrade && `${student.suiGrade} 级`], ['培养层次', labelOf('edu_level', student.suiEduLevel)], ['学制', student.suiStudyYears ? `${student.suiStudyYears} 年` : ''],
    ['入学日期', student.suiEnterDate ?? ''], ['毕业日期', student.suiGraduateDate ?? ''],
    ...(student.suiPolitical ? [['政治面貌', labelOf('political', student.suiPolitical)] as [string, string]] : []),
  ]
  return (
    <dl className="sheet-student">
      {pairs.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value || <span className="nothing">—</span>}</dd></div>)}
    </dl>
  )
}

function Summary({ summary, conversions, asOf }: Pick<TranscriptHeader, 'summary' | 'conversions' | 'asOf'>) {
  const rank = summary.rankClass ? `班级排名 ${summary.rankClass}` : summary.rankMajor ? `专业排名 ${summary.rankMajor}` : ''
  return (
    <dl className="sheet-summary">
      <Figure label="总学时" value={summary.totalHours} note={`要求 ${summary.requiredHours}`} />
      <Figure label="总学分" value={summary.totalCredit} note={`积分 ${summary.totalPoints}`} />
      <Figure label="志愿时长" value={summary.volunteerHours} note="小时" />
      <Figure label="是否达标" value={summary.pass ? '达标' : '未达标'} note={`截至 ${asOf.slice(0, 10)}`} tone={summary.pass ? 'is-passed' : 'is-short'} />
      {conversions.slice(0, 3).map(({ trId, trName, toType, value }) => <Figure key={trId} label={trName} value={value} note={labelOf('convert_to', toType)} />)}
      {(summary.grade !== null || rank) && <Figure label="综合等级" value={summary.grade ?? '—'} note={rank} />}
    </dl>
  )
}

function Figure({ label, value, note, tone = '' }: { label: string; value: string; note: string; tone?: string }) {
  return <div className={tone}><dt>{label}</dt><dd><b>{value}</b><small>{note}</small></dd></div>
}
