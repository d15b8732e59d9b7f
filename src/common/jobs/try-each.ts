/**
 * Does tasks one after the other until the signal is aborted; a failure holds up no other one.
 * @throws the first failure, when all others were tried
 */
export async function tryEach<Task>(
  tasks: Iterable<Task> | AsyncIterable<Task>,
  work: (task: Task) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  for await (const task of tasks) {
    if (signal?.aborted) break;
    await work(task).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
