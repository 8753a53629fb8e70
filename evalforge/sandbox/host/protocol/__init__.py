"""The data that crosses between trusted and untrusted processes. Both use these modules, which import nothing else."""
