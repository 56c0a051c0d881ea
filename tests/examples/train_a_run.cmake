# Runs the example in a folder that does not exist yet, and checks which files it leaves.
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${EXAMPLE} ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
foreach(name run.json summary.json resolved.toml steps.jsonl checkpoints/best/weights.safetensors)
  if(NOT EXISTS ${FOLDER}/${name})
    message(FATAL_ERROR "the example left no ${name}")
  endif()
endforeach()
