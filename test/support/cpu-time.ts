/** Milliseconds of work since some moment. Unlike time on the wall they do not grow with what else the machine does. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
