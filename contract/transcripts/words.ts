import { labelOf, type DictType } from '../core/dictionary.ts'
import { transcriptSources, transcriptStatuses, type TranscriptData } from './transcripts.schema.ts'

/**
 * The fixed words of a printed transcript in its two languages. Names that the school or a person gave (courses, colleges, people) stay as they are;
 * the words of dictionaries and of the usual modules and levels are translated.
 */
export type PrintLang = TranscriptData['lang']

const zh = {
  title: '第二课堂成绩单', continued: '（续）', serial: '编号', scan: '扫码核验', part: (text: string) => `（${text}）`,
  name: '姓名', number: '学号', sex: '性别', college: '学院', major: '专业', class: '班级', grade: '年级', gradeOf: (grade: string) => `${grade} 级`, level: '培养层次', years: '学制', yearsOf: (years: number) => `${years} 年`, enter: '入学日期', leave: '毕业日期', political: '政治面貌',
  totalHours: '总学时', required: (hours: string) => `要求 ${hours}`, totalCredit: '总学分', points: (points: string) => `积分 ${points}`, volunteer: '志愿时长', hour: '小时', pass: '是否达标', passed: '达标', notPassed: '未达标', asOf: (day: string) => `截至 ${day}`,
  overall: '综合等级', rankClass: (rank: string) => `班级排名 ${rank}`, rankMajor: (rank: string) => `专业排名 ${rank}`,
  modules: '模块完成情况', module: '模块', need: '要求学时', have: '已获学时', count: '项数', stars: '星级', reached: '达标', yes: '是', no: '否', optional: '选修', ability: '能力素质', compared: '  实线：本人  虚线：学院平均',
  records: '参与记录', none: '暂无记录', item: '名称', itemLevel: '级别', role: '角色', award: '奖项', org: '主办单位', time: '时间', hoursCredit: '学时/学分', source: '来源', group: (name: string, count: number, hours: string, credit: string) => `${name}（${count} 项，${hours} 学时，${credit} 学分）`,
  notes: '说明', rules: (asOf: string) => `学时、学分与积分为各项记录按入账时的评价规则所得，数据截至 ${asOf}。`,
  verifyAt: (url: string, serial: string) => `核验：扫描首页二维码，或访问 ${url} 核对编号 ${serial} 与本页所载内容；涂改无效。`, verifyBy: (serial: string) => `核验：向学校共青团组织提供编号 ${serial} 核对；涂改无效。`,
  digest: (digest: string) => `内容摘要（SHA-256）：${digest}。`,
  collegeSeal: '学院团委（盖章）', schoolSeal: '校团委（盖章）', handler: '经办人（签字）：', printed: (year: number, month: number, day: number) => `打印日期：${year} 年 ${month} 月 ${day} 日`, page: (page: number, pages: number) => `第 ${page} 页 共 ${pages} 页`, printedBy: (name: string, at: string) => `打印人 ${name}  ${at}`,
}

export type PrintWords = typeof zh

const en: PrintWords = {
  title: 'Co-curricular Transcript', continued: ' (continued)', serial: 'No.', scan: 'Scan to verify', part: (text) => `(${text})`,
  name: 'Name', number: 'Student No.', sex: 'Sex', college: 'School', major: 'Major', class: 'Class', grade: 'Enrolled', gradeOf: (grade) => grade, level: 'Level', years: 'Length', yearsOf: (years) => `${years} years`, enter: 'Admitted', leave: 'Graduates', political: 'Affiliation',
  totalHours: 'Total hours', required: (hours) => `required ${hours}`, totalCredit: 'Total credits', points: (points) => `points ${points}`, volunteer: 'Volunteering', hour: 'hours', pass: 'Requirement', passed: 'Met', notPassed: 'Not met', asOf: (day) => `as of ${day}`,
  overall: 'Grade', rankClass: (rank) => `rank in class ${rank}`, rankMajor: (rank) => `rank in major ${rank}`,
  modules: 'Modules', module: 'Module', need: 'Required', have: 'Earned', count: 'Items', stars: 'Stars', reached: 'Met', yes: 'Yes', no: 'No', optional: 'Elective', ability: 'Abilities', compared: '  solid: own  dashed: college average',
  records: 'Records', none: 'No records', item: 'Activity', itemLevel: 'Level', role: 'Role', award: 'Award', org: 'Organiser', time: 'Date', hoursCredit: 'Hrs/Credits', source: 'Source', group: (name, count, hours, credit) => `${name} (${count} items, ${hours} hours, ${credit} credits)`,
  notes: 'Notes', rules: (asOf) => `Hours, credits and points are those granted by the rules in force when each record was credited, as of ${asOf} (UTC+8).`,
  verifyAt: (url, serial) => `To verify, scan the code on page 1 or open ${url} and compare No. ${serial} and what is shown there. Void if altered.`, verifyBy: (serial) => `To verify, ask the Youth League Committee of the university for No. ${serial}. Void if altered.`,
  digest: (digest) => `Digest of the content (SHA-256): ${digest}.`,
  collegeSeal: 'School committee (seal)', schoolSeal: 'University committee (seal)', handler: 'Handled by: ', printed: (year, month, day) => `Printed: ${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`, page: (page, pages) => `Page ${page} of ${pages}`, printedBy: (name, at) => `Printed by ${name}  ${at}`,
}

export const printWords = (lang: PrintLang): PrintWords => (lang === 'en' ? en : zh)

const englishValues: Partial<Record<DictType, Record<string, string>>> = {
  sex: { '1': 'Male', '2': 'Female', '0': 'Unknown', '9': 'Not stated' },
  edu_level: { '1': 'Associate', '2': 'Bachelor', '3': 'Master', '4': 'Doctor' },
  partake_mode: { '1': 'Participant', '2': 'Organiser', '3': 'Staff', '4': 'Volunteer', '5': 'Contestant', '6': 'Speaker', '7': 'Prize winner', '8': 'Team leader', '9': 'Team member', '10': 'Assistant', '11': 'Officer' },
  convert_to: { '1': 'credits', '2': 'mark', '3': 'stars' },
  political: { '01': 'CPC member', '02': 'Probationary CPC member', '03': 'CYLC member', '13': 'None' },
}
const englishSources: Record<keyof typeof transcriptSources, string> = { LESSON: 'Course', SUP: 'Supplement', CONVERT: 'Conversion', ADJUST: 'Adjustment', REVERSE: 'Reversal' }
const englishStatuses: Record<keyof typeof transcriptStatuses, string> = { '1': 'Valid', '2': 'Questioned', '3': 'Reversed' }

/** The usual modules, abilities and levels; what a school named otherwise keeps its name. */
const englishNames: Record<string, string> = {
  思想成长: 'Ideological Growth', 实践实习: 'Practice and Internship', 志愿公益: 'Volunteering', 创新创业: 'Innovation', 文体活动: 'Arts and Sports', 工作履历: 'Positions Held', 技能特长: 'Skills', 劳动教育: 'Labour Education',
  国际级: 'International', 国家级: 'National', '省（部）级': 'Provincial', 市级: 'Municipal', 校级: 'University', '院（系）级': 'School', '班（团支部）级': 'Class', 社团级: 'Club', 德: 'Virtue', 智: 'Intellect', 体: 'Sport', 美: 'Arts', 劳: 'Labour',
}

/** A name as it is printed in a language. */
export const printName = (lang: PrintLang, name: string): string => (lang === 'en' ? (englishNames[name] ?? name) : name)
/** The word of a dictionary's value in a language. */
export const printValue = (lang: PrintLang, type: DictType, value: string): string => (lang === 'en' ? (englishValues[type]?.[value] ?? labelOf(type, value)) : labelOf(type, value))
export const printSource = (lang: PrintLang, source: keyof typeof transcriptSources): string => (lang === 'en' ? englishSources : transcriptSources)[source]
export const printStatus = (lang: PrintLang, status: keyof typeof transcriptStatuses): string => (lang === 'en' ? englishStatuses : transcriptStatuses)[status]
