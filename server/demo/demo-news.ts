import { newsClass, newsStatus, yesNo } from '../../contract/core/codes/platform.ts'
import { addDays } from '../core/base/clock.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoSchool } from './demo-school.ts'

const news: readonly (readonly [string, string, string])[] = [
  ['校园新闻', '“青春心向党”主题团日活动举行', '活动以主题宣讲、诗朗诵和情景剧的形式展开，三百余名团员青年参加。'],
  [
    '通知公告',
    '关于开展本学期第二课堂学时核对的通知',
    '请各学院于本月底前组织学生核对第二课堂学时，有异议的请在系统中提出。',
  ],
  ['活动风采', '志愿者走进社区开展公益服务', '志愿者为社区居民提供了义诊、家电维修和反诈宣传等服务。'],
  ['校园新闻', '创新创业大赛校内选拔赛圆满结束', '共有六十二支队伍参赛，十支队伍获得推荐参加省赛的资格。'],
  ['通知公告', '关于社团年审工作的通知', '请各社团负责人在系统中提交年审申请，并附上本年度活动总结。'],
  ['活动风采', '秋季篮球联赛落幕', '经过四周激烈角逐，计算机学院代表队夺得冠军。'],
  ['校园新闻', '劳动教育实践周启动', '实践周期间将开展校园绿化、食堂帮厨、图书整理等活动。'],
  ['通知公告', '关于寒假社会实践立项申报的通知', '请有意申报的团队在规定时间内提交立项书。'],
]

/** News in every state: most published, some drafts, some taken back. */
export async function makeNews({ db, schoolId, stamp, random, size, now }: DemoSchool): Promise<void> {
  const types = new Map(
    (await db.selectFrom('newsType').select(['ntId', 'ntName']).where('schoolId', '=', schoolId).execute()).map(
      ({ ntId, ntName }) => [ntName, ntId],
    ),
  )
  // docs/rules.md R55: 80 news for 6,000 students
  const rows = Array.from({ length: Math.min(80, Math.max(12, Math.round(size.students / 75))) }, (_, at) => {
    const [type, title, text] = news[at % news.length]!
    const createTime = addDays(now, -(at * 4 + random.whole(1, 3)))
    const niStatus = at % 10 === 3 ? newsStatus.draft : at % 10 === 7 ? newsStatus.unpublished : newsStatus.published
    const niDetail = `<p>${text}</p><h3>主要内容</h3><ul><li>时间：以通知为准</li><li>地点：大学生活动中心</li><li>对象：全体在校学生</li></ul><p>更多安排请关注后续通知。</p>`
    return {
      ...stamp,
      createTime,
      updateTime: createTime,
      niId: random.id(),
      ntId: types.get(type)!,
      niTitle: at < news.length ? title : `${title}（${createTime.slice(0, 7).replace('-', ' 年 ')} 月）`,
      niClass: type === '通知公告' ? newsClass.notice : newsClass.article,
      niDetail,
      niSource: '校团委',
      niAuthor: '新闻中心',
      niTop: at === 0 ? yesNo.yes : yesNo.no,
      niIsShow: at % 6 === 5 ? yesNo.no : yesNo.yes,
      niStatus,
      publishTime: niStatus === newsStatus.draft ? null : createTime,
      cancelReason: niStatus === newsStatus.unpublished ? '内容已过期' : '',
      readCount: niStatus === newsStatus.published ? random.whole(20, 900) : 0,
    }
  })
  await bulkInsert(db, 'news', rows)
}
