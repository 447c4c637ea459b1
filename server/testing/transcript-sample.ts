import { partakeMode } from '../../contract/core/codes/programme.ts'
import { convertTo } from '../../contract/core/codes/rules.ts'
import { eduLevel, personSex, politicalStatus } from '../../contract/core/codes/school.ts'
import type { TranscriptData, TranscriptRow } from '../../contract/outcomes/transcripts/transcripts.schema.ts'

/** A transcript with what real ones trip over: rare characters, minority names, long titles, many pages. For tests. */
export function sampleTranscript(
  change: { rows?: number; student?: Partial<TranscriptData['student']>; verifyUrl?: string | null } = {},
): TranscriptData {
  const names = ['思想成长', '实践实习', '志愿公益', '创新创业', '文体活动', '工作履历', '技能特长', '劳动教育']
  const modules = names.map((lsName, n) => ({
    lsId: `module-${n}`,
    lsName,
    must: n !== 4,
    required: n > 4 ? '2' : '8',
    have: `${2 + n * 1.5}`,
    gap: '0',
    stars: n % 6,
    pass: n % 3 !== 1,
    count: 8,
  }))
  const ability = ['理想信念', '学习研究', '创新创造', '身心健康', '审美表达', '劳动实践', '沟通表达', '团队协作']
  return {
    schName: '华东示范大学',
    schCode: '10999',
    serial: '10999-2023010101-20261120-000123',
    lang: 'zh',
    digest: '',
    asOf: '2026-11-20 09:30:00',
    verifyUrl:
      change.verifyUrl === undefined
        ? 'https://console.example.edu.cn/verify?serial=10999-2023010101-20261120-000123'
        : change.verifyUrl,
    student: {
      suId: 'student-1',
      suiName: '𠮷田䶮㛃喆',
      suiNumber: '2023010101',
      suiSex: personSex.female,
      suiCollegeName: '马克思主义学院',
      majorName: '思想政治教育（师范）',
      scClassName: '思政2301班',
      suiGrade: '2023',
      suiEduLevel: eduLevel.bachelor,
      suiStudyYears: 4,
      suiEnterDate: '2023-09-01',
      suiGraduateDate: '2027-06-30',
      suiPolitical: politicalStatus.leagueMember,
      suiPhoto: null,
      ...change.student,
    },
    summary: {
      totalHours: '66.5',
      totalCredit: '6.65',
      totalPoints: '312.5',
      volunteerHours: '48',
      requiredHours: '64',
      pass: true,
      grade: '优秀',
      rankClass: null,
      rankMajor: null,
      ruleVersion: '3',
    },
    modules,
    conversions: [
      {
        trId: 'conversion',
        trName: '第二课堂成绩',
        toType: convertTo.mark,
        value: '100',
        explain: '66.5 学时：达到 50 ＝ 100 成绩',
      },
    ],
    ability: ability.map((name, n) => ({
      sqlId: `label-${n}`,
      name,
      score: `${40 + ((n * 17) % 55)}`,
      avgCollege: `${50 + ((n * 7) % 20)}`,
      max: '100',
      color: '',
    })),
    modelled: false,
    rows: Array.from({ length: change.rows ?? 60 }, (_, n) => sampleRow(n, names)),
    extract: null,
    notes: [
      '本成绩单依据《学校第二课堂成绩单制度实施办法》记载学生在校期间参与第二课堂活动的经历与学时，经团支部、学院团委和校团委审核。',
    ],
  }
}

const titles = [
  '“青马工程”大学生骨干培训班第十六期结业汇报',
  '急救知识进社区志愿服务',
  '第十九届“挑战杯”全国大学生课外学术科技作品竞赛校内选拔赛暨创新创业成果展示交流会（理工类专场）',
  'Python 数据分析 workshop & hackathon 2026',
  '艾力·买买提 与 𠮷野先生书画展志愿讲解',
  '春季校园马拉松（10 km）',
]

function sampleRow(n: number, modules: string[]): TranscriptRow {
  const day = `202${4 + (n % 3)}-0${1 + (n % 9)}-1${n % 10}`
  return {
    recId: `row-${n}`,
    source: n % 5 === 4 ? 'SUP' : 'LESSON',
    liId: n % 5 === 4 ? null : `lesson-${n}`,
    lisId: n % 5 === 4 ? `supplement-${n}` : null,
    name: `${titles[n % titles.length]}·${n + 1}`,
    moduleId: `module-${n % modules.length}`,
    moduleName: modules[n % modules.length]!,
    lsName: modules[n % modules.length]!,
    levelName: ['校级', '院（系）级', '省（部）级', '国家级'][n % 4]!,
    partakeMode: (
      [partakeMode.participant, partakeMode.organiser, partakeMode.volunteer, partakeMode.competitor, null] as const
    )[n % 5]!,
    awardName: ['', '一等奖', '优秀志愿者', ''][n % 4]!,
    org: ['校团委', '䶮学研究会', '计算机科学与技术学院团委', '学生工作部（武装部）、学生处'][n % 4]!,
    startTime: `${day} 14:00:00`,
    endTime: `${day} 16:30:00`,
    hours: ['2', '1.5', '4', '0.25'][n % 4]!,
    credit: ['0.2', '0.15', '0.4', '0.03'][n % 4]!,
    points: '5',
    grantTime: `${day} 20:00:00`,
    status: n === 7 ? '2' : '1',
  }
}
