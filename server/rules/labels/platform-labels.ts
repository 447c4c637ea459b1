/**
 * The catalogue of quality labels that a school adopts from (docs/rules.md R27): groups with their labels. `platformId`
 * never changes, so that an adopted label is known again after it has been renamed.
 */
export interface PlatformLabel {
  platformId: string
  sqlName: string
  sqlColor: string
  sqlDesc: string
}

const group = (
  code: string,
  sqlName: string,
  sqlColor: string,
  sqlDesc: string,
  names: readonly (readonly [string, string])[],
) => ({
  platformId: code,
  sqlName,
  sqlColor,
  sqlDesc,
  children: names.map(([name, desc], at): PlatformLabel => ({
    platformId: `${code}-${at + 1}`,
    sqlName: name,
    sqlColor,
    sqlDesc: desc,
  })),
})

export const platformLabels = [
  group('virtue', '德', '#D9576B', '理想信念与品德修养', [
    ['理想信念', '坚定理想信念，关心时事'],
    ['道德诚信', '守信、守纪、尊重他人'],
    ['家国情怀', '热爱祖国，服务社会'],
  ]),
  group('wisdom', '智', '#2458C5', '学识与创新能力', [
    ['学习研究', '主动学习与研究'],
    ['批判思维', '独立分析与判断'],
    ['创新创造', '提出并实现新想法'],
    ['数字素养', '使用信息与数据'],
    ['国际视野', '了解世界与跨文化交流'],
  ]),
  group('body', '体', '#E39A2D', '身心健康与意志', [
    ['身心健康', '体质与心理健康'],
    ['意志毅力', '坚持与抗挫'],
  ]),
  group('beauty', '美', '#8A5CC9', '审美与人文', [
    ['审美表达', '感受与表达美'],
    ['人文素养', '文学、历史与艺术修养'],
  ]),
  group('work', '劳', '#1C9C8C', '劳动与奉献', [
    ['劳动实践', '参加生产与服务劳动'],
    ['志愿奉献', '参加志愿服务'],
    ['职业技能', '掌握职业所需的技能'],
  ]),
  group('general', '综合', '#6B7A90', '跨领域的通用能力', [
    ['沟通表达', '清楚地说与写'],
    ['团队协作', '与人合作'],
    ['组织领导', '组织活动、带领团队'],
    ['执行力', '按时按质完成任务'],
    ['解决问题', '发现并解决实际问题'],
  ]),
] as const
