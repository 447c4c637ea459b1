import type { Output } from '../../../contract/core/call.ts'
import { adviceFor, levelOf } from '../../../contract/rules/labels/advice.ts'
import type { modelApi, modelPreviewApi } from '../../../contract/rules/labels/model.calls.ts'
import { minGroupSize } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { Chart } from '../../core/chart/chart.tsx'

export interface ModelRow {
  sqlId?: string
  name?: string
  max?: string
  color?: string
}
type Preview = Output<typeof modelPreviewApi.preview>
type Label = Output<typeof modelApi.list>['labels'][number]

interface ModelRadarProps {
  rows: readonly ModelRow[]
  labels: readonly Label[]
  preview: Preview | undefined
}

/**
 * The radar as the model draws it now, for one student beside their grade and the school, and what they could do next.
 */
export function ModelRadar({ rows, labels, preview }: ModelRadarProps) {
  const shown = rows.flatMap(({ sqlId, name, max, color }) => {
    const label = labels.find((one) => one.sqlId === sqlId)
    if (!label || !name || !(Number(max) > 0)) return []
    const score = preview?.scores.find((one) => one.sqlId === sqlId)
    return [
      {
        name,
        max: max!,
        color: color || label.sqlColor,
        levels: label.levels,
        score: score?.score ?? '0',
        avgGrade: score?.avgGrade ?? null,
        avgSchool: score?.avgSchool ?? null,
        modules: score?.modules ?? [],
      },
    ]
  })
  const student = preview?.student ?? null
  const lines = [
    ...(student ? [{ name: student.suiName, of: (one: (typeof shown)[number]) => one.score }] : []),
    ...(student && preview!.gradePeople >= minGroupSize
      ? [{ name: '年级平均', of: (one: (typeof shown)[number]) => one.avgGrade ?? '0' }]
      : []),
    ...(preview && preview.schoolPeople >= minGroupSize
      ? [{ name: '全校平均', of: (one: (typeof shown)[number]) => one.avgSchool ?? '0' }]
      : []),
  ]
  const advice = student ? adviceFor(shown) : []
  const label = `${student ? `${student.suiName}的` : ''}能力雷达：${shown.map((one) => `${one.name} ${[...(lines.length > 0 ? [lines.map(({ name, of }) => `${name} ${of(one)}`).join('、')] : []), `满分 ${one.max}`].join('，')}`).join('；')}`
  return (
    <>
      <Chart
        title="雷达图预览"
        label={label}
        definition={`得分为课程与补录入账时按评价规则计入的能力分；平均按在读学生计算（全校 ${preview?.schoolPeople ?? 0} 人${student ? `，本年级 ${preview!.gradePeople} 人` : ''}），没有得分的学生按 0 计，不足 ${minGroupSize} 人不显示平均。外圈为各项满分，超出时画在外圈上。`}
        isLoading={preview === undefined}
        isEmpty={shown.length < 3}
        empty={{ text: '至少选择 3 个标签才能画出雷达图', hint: '请在“标签与满分”中选择标签并填写满分。' }}
        height={360}
        table={{
          heads: ['能力', ...lines.map(({ name }) => name), '满分', ...(student ? ['等级'] : [])],
          rows: shown.map((one) => [
            one.name,
            ...lines.map(({ of }) => of(one)),
            one.max,
            ...(student ? [levelText(one)] : []),
          ]),
        }}
        option={({ colors, text, soft, line, card, cue }) => ({
          color: [...colors],
          tooltip: { backgroundColor: card, borderColor: line, textStyle: { color: text } },
          legend: {
            bottom: 0,
            itemGap: 20,
            itemWidth: 12,
            itemHeight: 10,
            textStyle: { color: text },
            data: lines.map(({ name }, at) => ({ name, icon: cue(at).symbol })),
          },
          radar: {
            center: ['50%', '46%'],
            radius: '54%',
            indicator: shown.map((one) => ({ name: one.name, max: Number(one.max) })),
            axisName: {
              formatter: (name: string) => `{dot${shown.findIndex((one) => one.name === name)}|●} {name|${name}}`,
              rich: {
                name: { color: text, fontSize: 12 },
                ...Object.fromEntries(
                  shown.map(({ color }, at) => [`dot${at}`, { color: color || soft, fontSize: 10 }]),
                ),
              },
            },
            axisLine: { lineStyle: { color: line } },
            splitLine: { lineStyle: { color: line } },
            splitArea: { show: false },
          },
          series: [
            {
              type: 'radar',
              data: lines.map(({ name, of }, at) => ({
                name,
                value: shown.map((one) => Math.min(Number(of(one)), Number(one.max))),
                ...cue(at),
                ...(at === 0 && student && { areaStyle: { opacity: 0.16 } }),
              })),
            },
          ],
        })}
      />
      {student && (
        <section className="model-advice" aria-label="发展建议">
          <h3>发展建议</h3>
          {advice.length === 0 ? (
            <p>各项能力均达到年级平均的八成以上，继续保持。</p>
          ) : (
            <ul>
              {advice.map(({ name, text }) => (
                <li key={name}>
                  <b>{name}</b>
                  {text}
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  )
}

function levelText({ score, max, levels }: { score: string; max: string; levels: readonly string[] }): string {
  const level = levelOf(score, max)
  return level === 0 ? '—' : `${level} 级${levels[level - 1] ? `：${levels[level - 1]}` : ''}`
}
